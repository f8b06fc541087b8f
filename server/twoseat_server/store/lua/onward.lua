-- Point a code at the next match, unless it has gone on from this one already.
-- KEYS: code   ARGV: the match it points at, the next one, ttl ms
local stored = redis.call('GET', KEYS[1])
if not stored then return 0 end
local table = cjson.decode(stored)
if table.match ~= ARGV[1] then return 0 end
table.match = ARGV[2]
redis.call('SET', KEYS[1], cjson.encode(table), 'PX', ARGV[3])
return 1
