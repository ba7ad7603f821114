import type { Runtime } from "#platform/clock";
import { type Redis, type RedisScript, redisErrorMessage, defineScript } from "#platform/redis";
import type { Refusal } from "#platform/refusal";
import {
  numberOverflow,
  hiveExists,
  notANumber,
  hiveNotFound,
  keyNotFound,
  tooManyHives,
  tooManyKeys,
  storeFull,
  answerTooLarge,
  setsTooLarge,
} from "../hive-errors.ts";
import { type StoreKind, MAX_STORE_CHARACTERS, MAX_ENTRIES, MAX_KEYS } from "../hive-store.ts";

export type RedisContext = { redis: Redis; runtime: Runtime };

/**
 * Beginning of all scripts. The ids of hives are fields of one hash. Each key has a hash of metadata
 * (`meta`), its content (`data`), the order of a sorted set (`order`), and an entry in the list of keys of
 * its kind (`key_list`). Expired keys count as missing; every change deletes a few of them.
 */
const SCRIPT_PRELUDE = String.raw`
local call, P, now = redis.call, KEYS[1], tonumber(ARGV[1])
local TOTAL, SEQUENCE, ENDS = P .. 'hive:total', P .. 'hive:sequence', P .. 'hive:ends'

local function no(why) return redis.error_reply('KITH ' .. why) end

-- What is known of a key. It is there unless it has ended.
local function at(id, kind, key)
  local name = id .. '/' .. kind .. '/' .. key
  local k = { name = name, key = key, key_list = P .. 'hive:keys:' .. id .. '/' .. kind,
    meta = P .. 'hive:key:' .. name, data = P .. 'hive:data:' .. name, order = P .. 'hive:order:' .. name }
  local known = call('HMGET', k.meta, 'sequence', 'ends', 'used', 'entries', 'size')
  k.sequence, k.ends, k.used = known[1], tonumber(known[2]), known[3]
  k.entries, k.size = tonumber(known[4] or 0), tonumber(known[5] or 0)
  k.there = k.sequence and (not k.ends or k.ends > now)
  return k
end

local function drop(k)
  call('UNLINK', k.meta, k.data, k.order)
  call('ZREM', k.key_list, k.key)
  call('ZREM', ENDS, k.name)
  call('DECR', TOTAL)
  k.sequence, k.ends, k.entries, k.size, k.there = false, nil, 0, 0, false
end

-- Whether a key may be written: it is there, or there is room for it.
local function room(k)
  if k.sequence and not k.there then drop(k) end
  return k.there or tonumber(call('GET', TOTAL) or 0) < ${MAX_KEYS}
end

local function keep(k)
  if not k.there then
    k.sequence, k.there = call('INCR', SEQUENCE), true
    call('INCR', TOTAL)
    call('ZADD', k.key_list, k.sequence, k.key)
    call('HSET', k.meta, 'sequence', k.sequence)
  end
  call('HSET', k.meta, 'used', now)
end

-- Ends a key at a moment, or, for an empty one, at none.
local function finish(k, moment)
  if moment == '' then
    call('HDEL', k.meta, 'ends')
    call('ZREM', ENDS, k.name)
  else
    call('HSET', k.meta, 'ends', moment)
    call('ZADD', ENDS, moment, k.name)
  end
end

-- Records the amount before a write or after a deletion; false if it is too much. An empty store is none.
local function settle(k, entries, size)
  local n, long = k.entries + entries, k.size + size
  if n > ${MAX_ENTRIES} or long > ${MAX_STORE_CHARACTERS} then return false end
  if n == 0 then
    if k.there then drop(k) end
    return true
  end
  keep(k)
  call('HSET', k.meta, 'entries', n, 'size', long)
  k.entries, k.size = n, long
  return true
end

local function sweep()
  for _, name in ipairs(call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', 0, 20)) do
    local id, kind, key = name:match('^([^/]+)/([^/]+)/(.*)$')
    drop(at(id, kind, key))
  end
end

-- Characters, which begin with every byte that does not go on with one.
local function chars(text)
  local _, n = text:gsub('[^\128-\191]', '')
  return n
end

-- A number in as few digits as it takes to be that number.
local function digits(number)
  for n = 15, 16 do
    local text = string.format('%.' .. n .. 'g', number)
    if tonumber(text) == number then return text end
  end
  return string.format('%.17g', number)
end

-- The sum of what stands as JSON, if anything does, and a number; or why there is none.
local function added(text, by)
  if text and not text:match('^%-?%d') then return nil, no('no-number') end
  local sum = tonumber(text or 0) + tonumber(by)
  if sum == math.huge or sum == -math.huge then return nil, no('beyond') end
  return sum
end

local id = call('HGET', P .. 'hives', ARGV[2])
if not id then return no('no-hive') end
local kind = ARGV[3]
`;

const SELECT_KEY = "local k = at(id, kind, ARGV[4])\n";
const SWEEP_EXPIRED = "sweep()\n";

/**
 * Creates a script for all keys of a kind. The script's own arguments begin at the fourth; in scripts for one
 * key, they begin at the fifth.
 */
export const keySpaceScript = (lua: string): RedisScript => defineScript(SCRIPT_PRELUDE + lua);
export const keySpaceWriteScript = (lua: string): RedisScript =>
  defineScript(SCRIPT_PRELUDE + SWEEP_EXPIRED + lua);
export const keyScript = (lua: string): RedisScript => defineScript(SCRIPT_PRELUDE + SELECT_KEY + lua);
export const keyWriteScript = (lua: string): RedisScript =>
  defineScript(SCRIPT_PRELUDE + SWEEP_EXPIRED + SELECT_KEY + lua);

type ScriptTarget = { hive: string; kind: StoreKind; key?: string };

/**
 * Runs a script for a kind of store or for one key.
 * @throws the refusal that corresponds to an error of the script
 */
export async function runScript<T = unknown>(
  { redis, runtime }: RedisContext,
  what: RedisScript,
  { hive, kind, key }: ScriptTarget,
  ...rest: (string | number)[]
): Promise<T> {
  try {
    return await redis.run<T>(
      what,
      runtime.now().getTime(),
      hive,
      kind,
      ...(key === undefined ? [] : [key]),
      ...rest,
    );
  } catch (error) {
    throw findRefusal(error, { name: hive, key: key ?? "" }) ?? error;
  }
}

/** Returns the refusal for an error raised by a script; undefined for other errors. */
export const findRefusal = (error: unknown, about: { name: string; key: string }): Refusal | undefined =>
  SCRIPT_REFUSALS[/^KITH ([\w-]+)/.exec(redisErrorMessage(error) ?? "")?.[1] ?? ""]?.(about);

const SCRIPT_REFUSALS: Record<string, (about: { name: string; key: string }) => Refusal> = {
  "no-hive": ({ name }) => hiveNotFound(name),
  taken: ({ name }) => hiveExists(name),
  "full-of-hives": tooManyHives,
  "no-key": ({ key }) => keyNotFound(key),
  full: tooManyKeys,
  much: storeFull,
  together: setsTooLarge,
  asked: answerTooLarge,
  "no-number": notANumber,
  beyond: numberOverflow,
};

export const toPairs = (flat: string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n]!, flat[2 * n + 1]!]);

/** Compares texts by bytes, as the database does. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
