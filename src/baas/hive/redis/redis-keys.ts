import { parseGlob } from "#platform/redis";
import type { KeyInfo, KeyPage, StoreKey, KeySpace } from "../hive-store.ts";
import {
  runScript,
  keyWriteScript,
  keySpaceWriteScript,
  type RedisContext,
  keyScript,
  keySpaceScript,
} from "./redis-scripts.ts";

/** Number of keys that one Redis call scans. */
const SCAN_BATCH = 1_000;

const LIST = keySpaceScript(`
local keys = P .. 'hive:keys:' .. id .. '/' .. kind
  local rows = call('ZRANGEBYSCORE', keys, '(' .. ARGV[4], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[5])
local found = {}
for n = 1, #rows, 2 do
  found[#found + 1] = { rows[n], rows[n + 1], at(id, kind, rows[n]).there and 1 or 0 }
end
return found`);
const COUNT = keySpaceScript(`
local n = 0
for i = 4, #ARGV do
  if at(id, kind, ARGV[i]).there then n = n + 1 end
end
return n`);
const REMOVE = keySpaceWriteScript(`
local n = 0
for i = 4, #ARGV do
  local k = at(id, kind, ARGV[i])
  if k.there then n = n + 1 end
  if k.sequence then drop(k) end
end
return n`);
const TOUCH = keySpaceWriteScript(`
local n = 0
for i = 4, #ARGV do
  local k = at(id, kind, ARGV[i])
  if k.there then
    keep(k)
    n = n + 1
  end
end
return n`);
const FIND = keyScript(`
return k.there and { call('HGET', k.meta, 'value'), k.entries, call('HGET', k.meta, 'ends'), k.used }`);
const END = keyWriteScript(`
if not k.there then return 0 end
keep(k)
finish(k, ARGV[5])
return 1`);
const RENAME = keyWriteScript(`
local to = at(id, kind, ARGV[5])
if not k.there then return no('no-key') end
if k.key == to.key then return 1 end
if to.there and ARGV[6] == '0' then return 0 end
if to.sequence then drop(to) end
keep(k)
for _, part in ipairs({ 'meta', 'data', 'order' }) do
  if call('EXISTS', k[part]) == 1 then call('RENAME', k[part], to[part]) end
end
call('ZREM', k.key_list, k.key)
call('ZADD', k.key_list, k.sequence, to.key)
if call('ZREM', ENDS, k.name) == 1 then call('ZADD', ENDS, call('HGET', to.meta, 'ends'), to.name) end
return 1`);

/** Scans in batches, so that other clients do not wait for a scan of all keys. */
export async function listKeys(
  context: RedisContext,
  keySpace: KeySpace,
  { pattern, cursor, size }: KeyPage,
): Promise<{ keys: string[]; cursorId: string }> {
  const { matches } = parseGlob(pattern);
  const found: { key: string; id: string }[] = [];
  for (let from = String(cursor); ;) {
    const share = await runScript<[string, string, number][]>(context, LIST, keySpace, from, SCAN_BATCH);
    for (const [key, id, there] of share) if (there === 1 && matches(key)) found.push({ key, id });
    if (share.length < SCAN_BATCH || found.length > size) break;
    from = share.at(-1)![1];
  }
  const page = found.slice(0, size);
  return { keys: page.map(({ key }) => key), cursorId: found.length > size ? page.at(-1)!.id : "0" };
}

const distinctKeys = (keys: string[]) => [...new Set(keys)];

export const countKeys = (context: RedisContext, keySpace: KeySpace, keys: string[]) =>
  runScript<number>(context, COUNT, keySpace, ...distinctKeys(keys));
export const deleteKeys = (context: RedisContext, keySpace: KeySpace, keys: string[]) =>
  runScript<number>(context, REMOVE, keySpace, ...distinctKeys(keys));
export const touchKeys = (context: RedisContext, keySpace: KeySpace, keys: string[]) =>
  runScript<number>(context, TOUCH, keySpace, ...distinctKeys(keys));

export async function findKey(context: RedisContext, storeKey: StoreKey): Promise<KeyInfo | undefined> {
  const found = await runScript<[string | null, number, string | null, string] | null>(
    context,
    FIND,
    storeKey,
  );
  if (!found) return undefined;
  const [value, entries, ends, used] = found;
  return {
    value: value && normalizeNumber(value),
    entries,
    endsAt: ends === null ? null : new Date(Number(ends)),
    usedAt: new Date(Number(used)),
  };
}

/** Scripts write numbers in another format; this converts them to ours. */
const normalizeNumber = (text: string) => (/^-?\d/.test(text) ? JSON.stringify(JSON.parse(text)) : text);

export async function expireKey(
  context: RedisContext,
  storeKey: StoreKey,
  until: Date | null,
): Promise<boolean> {
  return (await runScript(context, END, storeKey, until?.getTime() ?? "")) === 1;
}

export async function renameKey(
  context: RedisContext,
  storeKey: StoreKey,
  newKey: string,
  overwrite: boolean,
): Promise<boolean> {
  return (await runScript(context, RENAME, storeKey, newKey, overwrite ? "1" : "0")) === 1;
}
