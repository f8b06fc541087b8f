-- Strike the deadline of a match that is gone, so that it is not handed out for ever.
-- KEYS: match, due   ARGV: match id
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
return redis.call('ZREM', KEYS[2], ARGV[1])
