import type { ListEnd, StoreEntry, HiveKey } from "../hive-store.ts";
import { runScript, keyWriteScript, type RedisContext, keyScript } from "./redis-scripts.ts";

/** Length of the hash with which a list item begins; the value follows. Equal values have the same hash. */
const HASH_LENGTH = 43;
const encodeItem = ({ field, value }: StoreEntry) => field + value;
const decodeItem = (item: string) => item.slice(HASH_LENGTH);

const READ = keyScript("return k.there and call('LRANGE', k.data, ARGV[5], ARGV[6]) or {}");
const ITEM = keyScript("return k.there and call('LINDEX', k.data, ARGV[5])");
const ADD = keyWriteScript(`
if not room(k) then return no('full') end
if not settle(k, #ARGV - 6, tonumber(ARGV[6])) then return no('much') end
if ARGV[5] == 'first' then
  for n = #ARGV, 7, -1 do call('LPUSH', k.data, ARGV[n]) end
else
  for n = 7, #ARGV do call('RPUSH', k.data, ARGV[n]) end
end
return k.entries`);

/** Sizes of items in UTF-16 units, as in JavaScript: a character of four UTF-8 bytes counts as two. */
const SIZE_FUNCTIONS = String.raw`
local function long(item)
  local value = item:sub(${HASH_LENGTH + 1})
  local _, more = value:gsub('[\240-\247]', '')
  return chars(value) + more
end
-- Items that equal one, from the beginning or from the end, and where they are.
local function find(hash, most, back)
  local found, step = {}, 500
  for from = 0, k.entries - 1, step do
    local first = back and math.max(0, k.entries - from - step) or from
    local last = back and k.entries - from - 1 or from + step - 1
    local items = call('LRANGE', k.data, first, last)
    for n = 1, #items do
      local i = back and #items - n + 1 or n
      if items[i]:sub(1, ${HASH_LENGTH}) == hash then
        found[#found + 1] = { index = first + i - 1, item = items[i] }
        if #found == most then return found end
      end
    end
  end
  return found
end
`;
const TAKE = keyWriteScript(`${SIZE_FUNCTIONS}
if not k.there or ARGV[6] == '0' then return {} end
local items = call(ARGV[5] == 'first' and 'LPOP' or 'RPOP', k.data, ARGV[6])
local size = 0
for _, item in ipairs(items) do size = size + long(item) end
settle(k, -#items, -size)
return items`);
// Items are first replaced by a blank and then removed, so that the indexes of the others do not change in
// between.
const REMOVE = keyWriteScript(`${SIZE_FUNCTIONS}
if not k.there then return 0 end
local count, size = tonumber(ARGV[6]), 0
local found = find(ARGV[5], math.abs(count), count < 0)
for _, it in ipairs(found) do
  size = size + long(it.item)
  call('LSET', k.data, it.index, '')
end
call('LREM', k.data, 0, '')
settle(k, -#found, -size)
return #found`);
const INSERT = keyWriteScript(`${SIZE_FUNCTIONS}
if not room(k) then return no('full') end
local anchor = k.there and find(ARGV[6], 1, false)[1]
if not anchor then
  if k.there then keep(k) end
  return -1
end
if not settle(k, 1, long(ARGV[5])) then return no('much') end
call('LINSERT', k.data, ARGV[7], anchor.item, ARGV[5])
return k.entries`);

const listKey = (hiveKey: HiveKey) => ({ ...hiveKey, kind: "list" as const });
const decodeItems = async (items: Promise<string[]>) => (await items).map(decodeItem);

export const readList = (context: RedisContext, hiveKey: HiveKey, from: number, to: number) =>
  decodeItems(runScript<string[]>(context, READ, listKey(hiveKey), from, to));

export async function readItem(
  context: RedisContext,
  hiveKey: HiveKey,
  index: number,
): Promise<string | null> {
  const item = await runScript<string | null>(context, ITEM, listKey(hiveKey), index);
  return item === null ? null : decodeItem(item);
}

export function addToList(
  context: RedisContext,
  hiveKey: HiveKey,
  end: ListEnd,
  items: StoreEntry[],
): Promise<number> {
  const size = items.reduce((sum, { value }) => sum + value.length, 0);
  return runScript<number>(context, ADD, listKey(hiveKey), end, size, ...items.map(encodeItem));
}

export const takeFromList = (context: RedisContext, hiveKey: HiveKey, end: ListEnd, count: number) =>
  decodeItems(runScript<string[]>(context, TAKE, listKey(hiveKey), end, count));

export const removeFromList = (context: RedisContext, hiveKey: HiveKey, field: string, count: number) =>
  runScript<number>(context, REMOVE, listKey(hiveKey), field, count);

export const insertIntoList = (
  context: RedisContext,
  hiveKey: HiveKey,
  item: StoreEntry,
  anchor: string,
  side: "before" | "after",
) => runScript<number>(context, INSERT, listKey(hiveKey), encodeItem(item), anchor, side.toUpperCase());
