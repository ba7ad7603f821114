import {
  type SetOperation,
  type StoreEntry,
  MAX_COMBINED_CHARACTERS,
  MAX_COMBINED,
  MAX_ENTRIES,
  type StoreKey,
  type KeySpace,
} from "../hive-store.ts";
import {
  runScript,
  compareBytes,
  keyWriteScript,
  type RedisContext,
  keyScript,
  keySpaceScript,
  toPairs,
} from "./redis-scripts.ts";

const READ_ALL = keyScript("return k.there and call('HGETALL', k.data) or {}");
const READ_FIELDS = keyScript(`
local found = {}
for n = 5, #ARGV do
  local value = k.there and call('HGET', k.data, ARGV[n])
  if value then
    found[#found + 1] = ARGV[n]
    found[#found + 1] = value
  end
end
return found`);
const PUT = keyWriteScript(`
if not room(k) then return no('full') end
local made, size = 0, 0
for n = 5, #ARGV, 2 do
  local before = k.there and call('HGET', k.data, ARGV[n])
  size = size + chars(ARGV[n + 1]) - (before and chars(before) or 0)
  if not before then made = made + 1 end
end
if not settle(k, made, size) then return no('much') end
for n = 5, #ARGV, 2 do
  call('HSET', k.data, ARGV[n], ARGV[n + 1])
end
return made`);
const PUT_NEW = keyWriteScript(`
if not room(k) then return no('full') end
if k.there and call('HEXISTS', k.data, ARGV[5]) == 1 then
  keep(k)
  return 0
end
if not settle(k, 1, chars(ARGV[6])) then return no('much') end
return call('HSET', k.data, ARGV[5], ARGV[6])`);
const ADD = keyWriteScript(`
if not room(k) then return no('full') end
local before = k.there and call('HGET', k.data, ARGV[5])
local sum, why = added(before, ARGV[6])
if not sum then return why end
if not settle(k, before and 0 or 1, #digits(sum) - (before and #before or 0)) then return no('much') end
call('HSET', k.data, ARGV[5], digits(sum))
return digits(sum)`);
const REMOVE = keyWriteScript(`
local n, size = 0, 0
for i = 5, #ARGV do
  local before = k.there and call('HGET', k.data, ARGV[i])
  if before then
    call('HDEL', k.data, ARGV[i])
    n, size = n + 1, size + chars(before)
  end
end
settle(k, -n, -size)
return n`);
const RANDOM = keyScript("return k.there and call('HRANDFIELD', k.data, ARGV[5], 'WITHVALUES') or {}");
const TAKE_RANDOM = keyWriteScript(`
local found = k.there and call('HRANDFIELD', k.data, ARGV[5], 'WITHVALUES') or {}
local size = 0
for n = 1, #found, 2 do
  call('HDEL', k.data, found[n])
  size = size + chars(found[n + 1])
end
settle(k, -#found / 2, -size)
return found`);
// Scores are scaled down before they are summed, because the sum of very large ones would overflow.
const COMBINE = keySpaceScript(`
local how, stores, n, size = ARGV[4], {}, 0, 0
for i = 5, #ARGV do
  local k = at(id, kind, ARGV[i])
  if k.there then
    stores[#stores + 1], k.first = k, i == 5
    n, size = n + k.entries, size + k.size
  end
end
if n > ${MAX_COMBINED} or size > ${MAX_COMBINED_CHARACTERS} then return no('together') end
local found = {}
local function see(k, field, score)
  local it = found[field] or { k = k, times = 0, sum = 0, max = score }
  it.times, it.sum = it.times + 1, it.sum + score / 16384
    it.max, it.first = math.max(it.max, score), it.first or k.first
  found[field] = it
end
for _, k in ipairs(stores) do
  if kind == 'sorted-set' then
    local rows = call('ZRANGE', k.order, 0, -1, 'WITHSCORES')
    for i = 1, #rows, 2 do see(k, rows[i]:sub(-43), tonumber(rows[i + 1])) end
  else
    for _, field in ipairs(call('HKEYS', k.data)) do see(k, field, 0) end
  end
end
local fits = {
  difference = function(it) return it.first and it.times == 1 end,
  intersection = function(it) return it.times == #ARGV - 4 end,
  union = function() return true end,
}
local rows = {}
for field, it in pairs(found) do
  if fits[how](it) then
    local sum, max = string.format('%.17g', it.sum), string.format('%.17g', it.max)
      rows[#rows + 1] = { field, call('HGET', it.k.data, field), sum, max }
  end
end
return rows`);

export async function readEntries(
  context: RedisContext,
  storeKey: StoreKey,
  fields?: string[],
): Promise<StoreEntry[]> {
  const flat = await (fields
    ? runScript<string[]>(context, READ_FIELDS, storeKey, ...new Set(fields))
    : runScript<string[]>(context, READ_ALL, storeKey));
  return toPairs(flat)
    .map(([field, value]) => ({ field, value }))
    .toSorted((a, b) => compareBytes(a.field, b.field));
}

export const putEntries = (context: RedisContext, storeKey: StoreKey, entries: StoreEntry[]) =>
  runScript<number>(context, PUT, storeKey, ...entries.flatMap(({ field, value }) => [field, value]));

export async function putNewEntry(
  context: RedisContext,
  storeKey: StoreKey,
  { field, value }: StoreEntry,
): Promise<boolean> {
  return (await runScript(context, PUT_NEW, storeKey, field, value)) === 1;
}

export async function addToEntry(
  context: RedisContext,
  storeKey: StoreKey,
  field: string,
  by: number,
): Promise<number> {
  return Number(await runScript(context, ADD, storeKey, field, by));
}

export const removeEntries = (context: RedisContext, storeKey: StoreKey, fields: string[]) =>
  runScript<number>(context, REMOVE, storeKey, ...fields);

export const getRandomEntries = (context: RedisContext, storeKey: StoreKey, count: number) =>
  toValues(runScript<string[]>(context, RANDOM, storeKey, count));
export const takeRandomEntries = (context: RedisContext, storeKey: StoreKey, count: number) =>
  toValues(runScript<string[]>(context, TAKE_RANDOM, storeKey, count));
const toValues = async (flat: Promise<string[]>) => toPairs(await flat).map(([, value]) => value);

export async function combineEntries(
  context: RedisContext,
  keySpace: KeySpace,
  how: SetOperation,
  keys: string[],
): Promise<string[]> {
  const rows = await runScript<[string, string, string, string][]>(context, COMBINE, keySpace, how, ...keys);
  const found = rows.map(([field, value, sum, max]) => ({
    field,
    value,
    sum: Number(sum),
    max: Number(max),
  }));
  found.sort((a, b) => a.sum - b.sum || a.max - b.max || (a.field < b.field ? -1 : 1));
  return found.slice(0, MAX_ENTRIES).map(({ value }) => value);
}
