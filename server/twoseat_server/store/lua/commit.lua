-- One atomic commit: version still the expected one? Then state, deadline, log, presence and announcement, all or nothing.
-- KEYS: match, log, due, audience, held
-- ARGV: expected version ('' = must not exist), new version, record, deadline ('' = none), match id, log entry,
--       ttl ms, '+member' or '-member' of held ('' = neither), own node
local stored = redis.call('HGET', KEYS[1], 'v') or ''
if stored ~= ARGV[1] then return 0 end
local ttl = ARGV[7]
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'd', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ttl)
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[3], ARGV[5])
else
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[5])
end
redis.call('RPUSH', KEYS[2], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ttl)
local held = ARGV[8]
if held ~= '' then
  local member = string.sub(held, 2)
  if string.sub(held, 1, 1) == '+' then
    redis.call('SADD', KEYS[5], member)
    redis.call('PEXPIRE', KEYS[5], ttl)
    redis.call('SADD', KEYS[4], ARGV[9])
    redis.call('PEXPIRE', KEYS[4], ttl)
  else
    redis.call('SREM', KEYS[5], member)
  end
end
for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do
  if node ~= ARGV[9] then redis.call('PUBLISH', 'news:' .. node, 'match ' .. ARGV[3]) end
end
return 1
