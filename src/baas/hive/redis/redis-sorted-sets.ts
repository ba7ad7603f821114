import type {
  ScoreOptions,
  ScoreRange,
  RangeOptions,
  StoreEntry,
  ScoredValue,
  ScoredEntry,
  HiveKey,
} from "../hive-store.ts";
import { runScript, keyWriteScript, type RedisContext, keyScript, toPairs } from "./redis-scripts.ts";

/**
 * Values are stored by hash. The member of a value in the sorted set begins with the start of its JSON,
 * which decides the order of equal scores, and ends with the hash.
 */
const MEMBER_FUNCTIONS = String.raw`
local function member(field, value)
  local n = 0
  for place in value:gmatch('()[^\128-\191]') do
    n = n + 1
    if n == 101 then return value:sub(1, place - 1) .. '\0' .. field end
  end
  return value .. '\0' .. field
end
-- Of members with their scores, the values.
local function shown(rows)
  for n = 1, #rows, 2 do rows[n] = call('HGET', k.data, rows[n]:sub(-43)) end
  return rows
end
-- Takes out what these members stand for; how many they are.
local function remove(members)
  local size, n = 0, 0
  for i = 1, #members do
    local field = members[i]:sub(-43)
    size, n = size + chars(call('HGET', k.data, field)), n + 1
    call('ZREM', k.order, members[i])
    call('HDEL', k.data, field)
  end
  settle(k, -n, -size)
  return n
end
`;
const readScript = (lua: string) => keyScript(MEMBER_FUNCTIONS + lua);
const writeScript = (lua: string) => keyWriteScript(MEMBER_FUNCTIONS + lua);

const ADD = writeScript(`
if not room(k) then return no('full') end
local before, after = {}, {}
local function standing(field)
  if before[field] == nil then
    local value = k.there and call('HGET', k.data, field)
    local score = value and tonumber(call('ZSCORE', k.order, member(field, value)))
    before[field] = value and { value = value, score = score } or false
  end
  return after[field] or before[field]
end
local function may(now, score)
  if not now then return ARGV[5] ~= 'OnlyUpdate' end
  if ARGV[5] == 'AlwaysAdd' then return false end
  if ARGV[6] == 'Greater' then return score > now.score end
  if ARGV[6] == 'Less' then return score < now.score end
  return true
end
for n = 8, #ARGV, 3 do
  local score = tonumber(ARGV[n])
  if may(standing(ARGV[n + 1]), score) then
    after[ARGV[n + 1]] = { score = score, text = ARGV[n], value = ARGV[n + 2] }
  end
end
local made, changed, size = 0, 0, 0
for field, it in pairs(after) do
  if not before[field] then
    made, size = made + 1, size + chars(it.value)
  elseif before[field].score ~= it.score then
    changed = changed + 1
  end
end
if not settle(k, made, size) then return no('much') end
for field, it in pairs(after) do
  local value = before[field] and before[field].value or it.value
  call('HSET', k.data, field, value)
  call('ZADD', k.order, it.text, member(field, value))
end
return ARGV[7] == 'TotalChanged' and made + changed or made`);
const ADD_TO_SCORE = writeScript(`
if not room(k) then return no('full') end
local field, value = ARGV[5], k.there and call('HGET', k.data, ARGV[5])
local sum, why = added(value and call('ZSCORE', k.order, member(field, value)), ARGV[7])
if not sum then return why end
if not settle(k, value and 0 or 1, value and 0 or chars(ARGV[6])) then return no('much') end
call('HSET', k.data, field, value or ARGV[6])
call('ZADD', k.order, digits(sum), member(field, value or ARGV[6]))
return digits(sum)`);
const TAKE = writeScript(`
if not k.there or ARGV[6] == '0' then return {} end
local rows = call(ARGV[5] == 'max' and 'ZREVRANGE' or 'ZRANGE', k.order, 0, ARGV[6] - 1, 'WITHSCORES')
local members = {}
for n = 1, #rows, 2 do members[#members + 1] = rows[n] end
shown(rows)
remove(members)
return rows`);
const RANDOM = readScript(
  "return k.there and shown(call('ZRANDMEMBER', k.order, ARGV[5], 'WITHSCORES')) or {}",
);
const GET_SCORE = readScript(`
local value = k.there and call('HGET', k.data, ARGV[5])
return value and call('ZSCORE', k.order, member(ARGV[5], value))`);
const GET_RANK = readScript(`
local value = k.there and call('HGET', k.data, ARGV[5])
return value and call(ARGV[6], k.order, member(ARGV[5], value))`);
const LIST_BY_RANK = readScript(
  "return k.there and shown(call(ARGV[7], k.order, ARGV[5], ARGV[6], 'WITHSCORES')) or {}",
);
const LIST_BY_SCORE = readScript(
  "return k.there and shown(call(ARGV[7], k.order, ARGV[5], ARGV[6], 'WITHSCORES', 'LIMIT', ARGV[8], ARGV[9])) or {}",
);
const REMOVE = writeScript(`
local members = {}
for n = 5, #ARGV do
  local value = k.there and call('HGET', k.data, ARGV[n])
  if value then members[#members + 1] = member(ARGV[n], value) end
end
return remove(members)`);
const REMOVE_RANGE = writeScript("return k.there and remove(call(ARGV[7], k.order, ARGV[5], ARGV[6])) or 0");
const COUNT = readScript("return k.there and call('ZCOUNT', k.order, ARGV[5], ARGV[6]) or 0");

const sortedSetKey = (hiveKey: HiveKey) => ({ ...hiveKey, kind: "sorted-set" as const });
const toScoredValues = async (flat: Promise<string[]>): Promise<ScoredValue[]> =>
  toPairs(await flat).map(([value, score]) => ({ value, score: Number(score) }));
const toNumber = async (text: Promise<unknown>) => ((it) => (it === null ? null : Number(it)))(await text);

export const addScored = (
  context: RedisContext,
  hiveKey: HiveKey,
  entries: ScoredEntry[],
  how: ScoreOptions,
) =>
  runScript<number>(
    context,
    ADD,
    sortedSetKey(hiveKey),
    how.duplicates ?? "",
    how.scores ?? "",
    how.result ?? "",
    ...entries.flatMap(({ score, field, value }) => [score, field, value]),
  );

export async function addToScore(
  context: RedisContext,
  hiveKey: HiveKey,
  { field, value }: StoreEntry,
  by: number,
): Promise<number> {
  return Number(await runScript(context, ADD_TO_SCORE, sortedSetKey(hiveKey), field, value, by));
}

export const takeByScore = (context: RedisContext, hiveKey: HiveKey, end: "max" | "min", count: number) =>
  toScoredValues(runScript<string[]>(context, TAKE, sortedSetKey(hiveKey), end, count));
export const getRandomScored = (context: RedisContext, hiveKey: HiveKey, count: number) =>
  toScoredValues(runScript<string[]>(context, RANDOM, sortedSetKey(hiveKey), count));
export const getScore = (context: RedisContext, hiveKey: HiveKey, field: string) =>
  toNumber(runScript(context, GET_SCORE, sortedSetKey(hiveKey), field));
export const getRank = (context: RedisContext, hiveKey: HiveKey, field: string, reverse: boolean) =>
  toNumber(runScript(context, GET_RANK, sortedSetKey(hiveKey), field, reverse ? "ZREVRANK" : "ZRANK"));

export const listByRank = (
  context: RedisContext,
  hiveKey: HiveKey,
  [start, stop]: [number, number],
  reverse: boolean,
) =>
  toScoredValues(
    runScript<string[]>(
      context,
      LIST_BY_RANK,
      sortedSetKey(hiveKey),
      start,
      stop,
      reverse ? "ZREVRANGE" : "ZRANGE",
    ),
  );

const formatRange = ({ min, max }: ScoreRange): [string, string] => [
  min ? `${min.included ? "" : "("}${min.score}` : "-inf",
  max ? `${max.included ? "" : "("}${max.score}` : "+inf",
];

export function listByScore(
  context: RedisContext,
  hiveKey: HiveKey,
  bounds: ScoreRange,
  { offset = 0, most, reverse = false }: RangeOptions,
) {
  const [min, max] = formatRange(bounds);
  const range = reverse ? [max, min, "ZREVRANGEBYSCORE"] : [min, max, "ZRANGEBYSCORE"];
  return toScoredValues(
    runScript<string[]>(context, LIST_BY_SCORE, sortedSetKey(hiveKey), ...range, offset, most ?? -1),
  );
}

export const removeScored = (context: RedisContext, hiveKey: HiveKey, fields: string[]) =>
  runScript<number>(context, REMOVE, sortedSetKey(hiveKey), ...fields);
export const removeByRank = (context: RedisContext, hiveKey: HiveKey, [start, stop]: [number, number]) =>
  runScript<number>(context, REMOVE_RANGE, sortedSetKey(hiveKey), start, stop, "ZRANGE");
export const removeByScore = (context: RedisContext, hiveKey: HiveKey, bounds: ScoreRange) =>
  runScript<number>(context, REMOVE_RANGE, sortedSetKey(hiveKey), ...formatRange(bounds), "ZRANGEBYSCORE");
export const countByScore = (context: RedisContext, hiveKey: HiveKey, bounds: ScoreRange) =>
  runScript<number>(context, COUNT, sortedSetKey(hiveKey), ...formatRange(bounds));
