-- Sit down with whoever has waited longest, or join the queue. Dead tickets are swept on the way; nobody meets himself.
-- The ticket that was paired stays for a while, empty: its node must know a pairing under way from a ticket that is lost.
-- KEYS: pool, own ticket   ARGV: own ticket id, own player, own JSON, ticket ttl ms, the moment the wait began (0 = now), pool ttl ms
-- Returns {moment the wait began, JSON of the other or ''}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since = tonumber(ARGV[5])
if since == 0 then since = now end
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, 31)) do
  local key = '{lobby}:ticket:' .. id
  local waiting = redis.call('GET', key)
  if not waiting or waiting == '' then
    redis.call('ZREM', KEYS[1], id)
  elseif id ~= ARGV[1] and cjson.decode(waiting).player ~= ARGV[2] then
    redis.call('ZREM', KEYS[1], id, ARGV[1])
    redis.call('DEL', KEYS[2])
    redis.call('SET', key, '', 'PX', ARGV[4])
    return {since, waiting}
  end
end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
redis.call('ZADD', KEYS[1], since, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {since, ''}
