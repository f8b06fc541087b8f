-- I am alive; who is not?
-- KEYS: nodes   ARGV: own node, ms of silence that means dead
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
