-- Take the free seat at the table with this code; the new match's id is written in the same breath, so only one can.
-- KEYS: code   ARGV: player, match id to use, id of a match that was claimed but never made ('' = none), ttl ms
-- Returns {'not_found'} | {'own'} | {'match', id} | {'claimed', JSON of the table}
local stored = redis.call('GET', KEYS[1])
if not stored then return {'not_found'} end
local table = cjson.decode(stored)
if table.match ~= '' and table.match ~= ARGV[3] then return {'match', table.match} end
if table.player == ARGV[1] then return {'own'} end
table.match = ARGV[2]
redis.call('SET', KEYS[1], cjson.encode(table), 'PX', ARGV[4])
return {'claimed', stored}
