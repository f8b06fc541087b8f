-- The next connection number of a match, 0 where the match is gone: a number alone must not bring its key back.
-- KEYS: match
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'c', 1)
