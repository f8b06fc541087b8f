-- One atomic commit: version still the expected one? Then state, deadline, log, presence and announcement, all or nothing.
-- KEYS: match, log, due, audience, held
-- ARGV: match id, own node, 'quiet' = return the other nodes and announce nothing, ttl ms, '+member' or '-member' of
--       held ('' = neither), new version (of which 1 must not exist yet), record, deadline ('' = none), log entry
-- Returns 0 | 1 | other nodes at the match
local id, own, quiet, ttl, held, version, record, deadline, entry = unpack(ARGV)
local stored = redis.call('HGET', KEYS[1], 'v') or ''
if stored ~= (version == '1' and '' or tostring(version - 1)) then return 0 end
redis.call('HSET', KEYS[1], 'v', version, 'd', record)
redis.call('PEXPIRE', KEYS[1], ttl)
if deadline == '' then
  redis.call('ZREM', KEYS[3], id)
else
  redis.call('ZADD', KEYS[3], deadline, id)
end
redis.call('RPUSH', KEYS[2], entry)
redis.call('PEXPIRE', KEYS[2], ttl)
if held ~= '' then
  local member = string.sub(held, 2)
  if string.sub(held, 1, 1) == '+' then
    redis.call('SADD', KEYS[5], member)
    redis.call('PEXPIRE', KEYS[5], ttl)
    redis.call('SADD', KEYS[4], own)
    redis.call('PEXPIRE', KEYS[4], ttl)
  else
    redis.call('SREM', KEYS[5], member)
  end
end
local others = {}
for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do
  if node ~= own then others[#others + 1] = node end
end
if quiet ~= '' then return others end
local news = string.match(KEYS[1], '^{%w+}') .. ':news:'
for _, node in ipairs(others) do redis.call('SPUBLISH', news .. node, 'match ' .. record) end
return 1
