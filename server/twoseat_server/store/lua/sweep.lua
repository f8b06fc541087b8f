-- Stamp the clock of each shard, record a gap or a jump as a stop, and hand out what is due (leased, so that one node tries first).
-- A shard where nothing has a deadline is stamped seldom: an idle server should not wear out its disk.
-- KEYS: clock and due of each shard in turn
-- ARGV: gap ms that counts as a stop, grace ms before a due match is handed out, lease ms, most matches a shard,
--       ms between the stamps of a shard without deadlines, when replicas last had a sweep as far as the caller knows
--       ('' = none are waited for)
-- Where replicas are waited for, a sweep that they did not get counts for nothing, and nobody plays meanwhile: what goes
-- beyond twice the gap since the last one they had is a stop too.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local gap, grace, lease, most, seldom = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local confirmed = tonumber(ARGV[6])
local stops, due = {}, {}
for i = 1, #KEYS, 2 do
  local read = redis.call('HMGET', KEYS[i], 'stamp', 'stops', 'had')
  local stamp, stopped = tonumber(read[1] or now), tonumber(read[2] or 0)
  if now - stamp > gap or now < stamp then
    stopped = stopped + now - stamp
    redis.call('HSET', KEYS[i], 'stops', stopped)
    if confirmed then redis.call('HSET', KEYS[i], 'had', now) end
  elseif confirmed then
    local had = math.min(now, math.max(tonumber(read[3] or now), confirmed))
    if now - had > 2 * gap then
      stopped = stopped + now - had - 2 * gap
      redis.call('HSET', KEYS[i], 'stops', stopped, 'had', now - 2 * gap)
    elseif not read[3] or math.abs(had - read[3]) >= seldom then
      redis.call('HSET', KEYS[i], 'had', had)
    end
  end
  if not read[1] or now < stamp or now - stamp >= seldom or redis.call('ZCARD', KEYS[i + 1]) > 0 then
    redis.call('HSET', KEYS[i], 'stamp', now)
  end
  stops[#stops + 1] = stopped
  local game = now - stopped
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[i + 1], '-inf', game - grace, 'LIMIT', 0, most)) do
    redis.call('ZADD', KEYS[i + 1], 'XX', game + lease, id)
    due[#due + 1] = id
  end
end
return {now, stops, due}
