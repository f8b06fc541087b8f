-- Take a ticket out of the queue; 0 where it was paired before.
-- KEYS: ticket
if redis.call('GET', KEYS[1]) == '' then return 0 end
redis.call('DEL', KEYS[1])
return 1
