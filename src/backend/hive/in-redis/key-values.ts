import { type Condition, type Entry, LARGEST, type Spot } from "../store.ts";
import { ask, changingKey, changingShelf, type Lines, onShelf } from "./scripts.ts";

const READ = onShelf(`
local found, size = {}, 0
for n = 4, #ARGV do
  local k = at(id, kind, ARGV[n])
  local value = k.there and call('HGET', k.meta, 'value')
  size = size + (value and chars(value) or 0)
  if size > ${LARGEST} then return no('asked') end
  found[#found + 1] = value
end
return found`);
const WRITE = changingShelf(`
if not room(at(id, kind, ARGV[4])) then return no('full') end
for n = 4, #ARGV, 2 do
  local k = at(id, kind, ARGV[n])
  if k.sequence and not k.there then drop(k) end
  keep(k)
  call('HSET', k.meta, 'value', ARGV[n + 1])
  finish(k, '')
end
return 1`);
const WRITE_IF = changingKey(`
if ARGV[7] == 'IfExists' and not k.there or ARGV[7] == 'IfNotExists' and k.there then return 0 end
if not room(k) then return no('full') end
keep(k)
call('HSET', k.meta, 'value', ARGV[5])
finish(k, ARGV[6])
return 1`);
const ADD = changingKey(`
if not room(k) then return no('full') end
local sum, why = added(k.there and call('HGET', k.meta, 'value'), ARGV[5])
if not sum then return why end
keep(k)
call('HSET', k.meta, 'value', digits(sum))
return digits(sum)`);

const KIND = "key-value";

export async function readValues(lines: Lines, hive: string, keys: string[]): Promise<Map<string, string>> {
  const texts = (await ask(lines, READ, { hive, kind: KIND }, ...keys)) as (string | null)[];
  return new Map(keys.map((key, n) => [key, texts[n] ?? null] as const).filter((it): it is [string, string] => it[1] !== null));
}

export async function writeValues(lines: Lines, hive: string, values: Entry[]): Promise<void> {
  await ask(lines, WRITE, { hive, kind: KIND }, ...values.flatMap(({ field, value }) => [field, value]));
}

type To = { value: string; until: Date | null; condition: Condition };

export async function writeValue(lines: Lines, spot: Spot, { value, until, condition }: To): Promise<boolean> {
  return (await ask(lines, WRITE_IF, { ...spot, kind: KIND }, value, until?.getTime() ?? "", condition)) === 1;
}

export async function addToValue(lines: Lines, spot: Spot, by: number): Promise<number> {
  return Number(await ask(lines, ADD, { ...spot, kind: KIND }, by));
}
