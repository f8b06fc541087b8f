-- Let a code, and the places of those who play at its table, go on to the next match, where they are still at this one.
-- Nothing else of what is stored is touched: a swap compares it letter by letter.
-- KEYS: code, places of the players   ARGV: the match they are at, the next one, ttl ms
local at, next = '"match":"' .. ARGV[1] .. '"', '"match":"' .. ARGV[2] .. '"'
for _, key in ipairs(KEYS) do
  local moved, found = string.gsub(redis.call('GET', key) or '', at, next)
  if found > 0 then redis.call('SET', key, moved, 'PX', ARGV[3]) end
end
