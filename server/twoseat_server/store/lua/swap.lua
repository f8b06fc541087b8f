-- Write a value only where it still is the expected one ('' = absent).
-- KEYS: key   ARGV: expected, new, ttl ms
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
