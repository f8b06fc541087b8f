-- Write a value only where it still is the expected one. An empty one means absent, before and after.
-- KEYS: key   ARGV: expected, new, ttl ms
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
