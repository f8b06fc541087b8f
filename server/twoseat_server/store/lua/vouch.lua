-- Keep a ticket alive while it waits.
-- KEYS: ticket   ARGV: ttl ms
-- Returns 'waits' | 'paired' | 'gone'
local stored = redis.call('GET', KEYS[1])
if not stored then return 'gone' end
if stored == '' then return 'paired' end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 'waits'
