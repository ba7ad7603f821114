import { type WriteCondition, type StoreEntry, MAX_STORE_CHARACTERS, type HiveKey } from "../hive-store.ts";
import {
  runScript,
  keyWriteScript,
  keySpaceWriteScript,
  type RedisContext,
  keySpaceScript,
} from "./redis-scripts.ts";

const READ = keySpaceScript(`
local found, size = {}, 0
for n = 4, #ARGV do
  local k = at(id, kind, ARGV[n])
  local value = k.there and call('HGET', k.meta, 'value')
  size = size + (value and chars(value) or 0)
  if size > ${MAX_STORE_CHARACTERS} then return no('asked') end
  found[#found + 1] = value
end
return found`);
const WRITE = keySpaceWriteScript(`
if not room(at(id, kind, ARGV[4])) then return no('full') end
for n = 4, #ARGV, 2 do
  local k = at(id, kind, ARGV[n])
  if k.sequence and not k.there then drop(k) end
  keep(k)
  call('HSET', k.meta, 'value', ARGV[n + 1])
  finish(k, '')
end
return 1`);
const WRITE_IF = keyWriteScript(`
if ARGV[7] == 'IfExists' and not k.there or ARGV[7] == 'IfNotExists' and k.there then return 0 end
if not room(k) then return no('full') end
keep(k)
call('HSET', k.meta, 'value', ARGV[5])
finish(k, ARGV[6])
return 1`);
const ADD = keyWriteScript(`
if not room(k) then return no('full') end
local sum, why = added(k.there and call('HGET', k.meta, 'value'), ARGV[5])
if not sum then return why end
keep(k)
call('HSET', k.meta, 'value', digits(sum))
return digits(sum)`);

const VALUE_KIND = "key-value";

export async function readValues(
  context: RedisContext,
  hive: string,
  keys: string[],
): Promise<Map<string, string>> {
  const texts = await runScript<(string | null)[]>(context, READ, { hive, kind: VALUE_KIND }, ...keys);
  return new Map(
    keys
      .map((key, n) => [key, texts[n] ?? null] as const)
      .filter((it): it is [string, string] => it[1] !== null),
  );
}

export async function writeValues(context: RedisContext, hive: string, values: StoreEntry[]): Promise<void> {
  await runScript(
    context,
    WRITE,
    { hive, kind: VALUE_KIND },
    ...values.flatMap(({ field, value }) => [field, value]),
  );
}

type ValueWrite = { value: string; until: Date | null; condition: WriteCondition };

export async function writeValue(
  context: RedisContext,
  hiveKey: HiveKey,
  { value, until, condition }: ValueWrite,
): Promise<boolean> {
  return (
    (await runScript(
      context,
      WRITE_IF,
      { ...hiveKey, kind: VALUE_KIND },
      value,
      until?.getTime() ?? "",
      condition,
    )) === 1
  );
}

export async function addToValue(context: RedisContext, hiveKey: HiveKey, by: number): Promise<number> {
  return Number(await runScript(context, ADD, { ...hiveKey, kind: VALUE_KIND }, by));
}
