-- I am alive; who is not? After a time in which nobody could beat, or a jump of the clock, everybody gets a fresh start:
-- an outage of the store is no node's death.
-- KEYS: nodes   ARGV: own node, ms of silence that means dead
-- Returns {the dead, the living}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local silence = tonumber(ARGV[2])
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local gap = now - tonumber(last or now)
if gap < 0 or gap > silence / 2 then
  for _, node in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZADD', KEYS[1], now, node) end
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
local since = now - silence
return {
  redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', since),
  redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%d', since), '+inf'),
}
