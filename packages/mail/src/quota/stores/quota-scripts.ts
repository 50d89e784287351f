import { COUNTED_MS, HOLD_MS, MAX_PAUSE_MS, PACE_MS, SLOT_MS } from '../quota.ts';

// What memory-quota-store.ts does, where all replicas can see it, on the clock of Redis. Units are stored in a hash by
// slot, with `i` for interactive and `b` for background before its number. A pause, and the time for which background
// calls stand back, are keys that expire.

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local slot = math.floor(now / ${SLOT_MS})
`;

/** KEYS: units, pause, hold. ARGV: priority, its ceiling, the one beside the user's own calls, prices. Returns granted, slot, waitMs, waitForAllMs. */
export const TAKE_UNITS = `${NOW}
local isBackground = ARGV[1] == 'background'
local ceiling = tonumber(ARGV[2])

local bySlot, order, total, recent, isUserActive = {}, {}, 0, 0, false
local function note(number, units, ofBackground)
  if bySlot[number] == nil then
    bySlot[number] = { all = 0, background = 0 }
    order[#order + 1] = number
  end
  local entry = bySlot[number]
  entry.all = entry.all + units
  total = total + units
  if ofBackground then
    entry.background = entry.background + units
    if number * ${SLOT_MS} + ${PACE_MS} > now then recent = recent + units end
  elseif units > 0 then
    isUserActive = true
  end
end
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  local number = tonumber(string.sub(fields[index], 2))
  if number * ${SLOT_MS} + ${COUNTED_MS} > now then
    note(number, tonumber(fields[index + 1]), string.sub(fields[index], 1, 1) == 'b')
  else
    redis.call('HDEL', KEYS[1], fields[index])
  end
end

if isBackground and isUserActive then ceiling = tonumber(ARGV[3]) end
local pace = math.max(1, ceiling / 10)

local blockedMs = math.max(redis.call('PTTL', KEYS[2]), 0)
if isBackground then blockedMs = math.max(blockedMs, redis.call('PTTL', KEYS[3])) end

local granted, taken, first, rest = 0, 0, 0, 0
for index = 4, #ARGV do
  local price = math.min(tonumber(ARGV[index]), ceiling)
  local fits = rest == 0 and blockedMs <= 0 and total + taken + price <= ceiling
    and not (isBackground and recent + taken >= pace)
  if fits then
    granted = granted + 1
    taken = taken + price
  else
    if rest == 0 then first = price end
    rest = rest + price
  end
end
if taken > 0 then
  redis.call('HINCRBY', KEYS[1], (isBackground and 'b' or 'i') .. slot, taken)
  redis.call('PEXPIRE', KEYS[1], ${COUNTED_MS})
  note(slot, taken, isBackground)
end
if rest == 0 then return { granted, slot, 0, 0 } end
if not isBackground then redis.call('SET', KEYS[3], '1', 'PX', ${HOLD_MS}) end

table.sort(order)
local function waitUntilFreed(units, kind, countedMs)
  local freed, waitMs = 0, 0
  for _, number in ipairs(order) do
    if freed >= units then break end
    local endsInMs = number * ${SLOT_MS} + countedMs - now
    if endsInMs > 0 and bySlot[number][kind] > 0 then
      freed = freed + bySlot[number][kind]
      waitMs = endsInMs
    end
  end
  return waitMs
end
local paceMs = isBackground and waitUntilFreed(recent - pace + 1, 'background', ${PACE_MS}) or 0
local function waitFor(units)
  local freedMs = waitUntilFreed(total + units - ceiling, 'all', ${COUNTED_MS})
  return math.ceil(math.max(blockedMs, freedMs, paceMs, 1))
end
return { granted, slot, waitFor(first), waitFor(rest) }
`;

/** KEYS: units. ARGV: the slot of the units, how many, priority. */
export const POSTPONE_UNITS = `${NOW}
local units, kind = tonumber(ARGV[2]), ARGV[3] == 'background' and 'b' or 'i'
local noted = tonumber(redis.call('HGET', KEYS[1], kind .. ARGV[1]) or '0')
if noted > 0 then redis.call('HINCRBY', KEYS[1], kind .. ARGV[1], -math.min(noted, units)) end
redis.call('HINCRBY', KEYS[1], kind .. slot, units)
redis.call('PEXPIRE', KEYS[1], ${COUNTED_MS})
return 0
`;

/** KEYS: pause. ARGV: milliseconds. */
export const PAUSE = `
local pauseMs = math.min(tonumber(ARGV[1]), ${MAX_PAUSE_MS})
if pauseMs >= 1 and redis.call('PTTL', KEYS[1]) < pauseMs then redis.call('SET', KEYS[1], '1', 'PX', math.ceil(pauseMs)) end
return 0
`;
