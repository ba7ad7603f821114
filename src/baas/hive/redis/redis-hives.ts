import { redisErrorMessage, type RedisScript, defineScript } from "#platform/redis";
import { MAX_HIVES } from "../hive-store.ts";
import { compareBytes, type RedisContext, findRefusal } from "./redis-scripts.ts";

const CREATE = defineScript(`
local hives = KEYS[1] .. 'hives'
if redis.call('HLEN', hives) >= ${MAX_HIVES} then return redis.error_reply('KITH full-of-hives') end
if redis.call('HSETNX', hives, ARGV[1], ARGV[2]) == 0 then return redis.error_reply('KITH taken') end
return 1`);
const RENAME = defineScript(`
local hives, id = KEYS[1] .. 'hives', redis.call('HGET', KEYS[1] .. 'hives', ARGV[1])
if not id then return redis.error_reply('KITH no-hive') end
if ARGV[1] == ARGV[2] then return 1 end
if redis.call('HSETNX', hives, ARGV[2], id) == 0 then return redis.error_reply('KITH taken') end
return redis.call('HDEL', hives, ARGV[1])`);
// Removes the hive's name, so that its stores can no longer be found. Their data is deleted later in
// batches.
const REMOVE = defineScript(`
local hives, id = KEYS[1] .. 'hives', redis.call('HGET', KEYS[1] .. 'hives', ARGV[1])
if not id then return redis.error_reply('KITH no-hive') end
redis.call('SADD', KEYS[1] .. 'hive:gone', id)
return redis.call('HDEL', hives, ARGV[1])`);
/** Deletes one batch of data of a deleted hive. Returns true when nothing is left. */
const CLEAR = defineScript(`
local P, id = KEYS[1], ARGV[1]
for n = 2, #ARGV do
  local key_list = P .. 'hive:keys:' .. id .. '/' .. ARGV[n]
  local keys = redis.call('ZRANGE', key_list, 0, 499)
  for _, key in ipairs(keys) do
    local name = id .. '/' .. ARGV[n] .. '/' .. key
    redis.call('UNLINK', P .. 'hive:key:' .. name, P .. 'hive:data:' .. name, P .. 'hive:order:' .. name)
    redis.call('ZREM', key_list, key)
    redis.call('ZREM', P .. 'hive:ends', name)
    redis.call('DECR', P .. 'hive:total')
  end
  if #keys > 0 then return 0 end
end
return redis.call('SREM', P .. 'hive:gone', id)`);
const KINDS = ["key-value", "list", "map", "set", "sorted-set"];

/** Runs a script. The error for a name in use gets a message of its own. */
async function runHiveScript({ redis }: RedisContext, what: RedisScript, name: string, ...more: string[]) {
  try {
    await redis.run(what, name, ...more);
  } catch (error) {
    const taken = redisErrorMessage(error) === "KITH taken" && what === RENAME;
    throw findRefusal(error, { name: taken ? more[0]! : name, key: "" }) ?? error;
  }
}

export async function listHiveNames({ redis }: RedisContext): Promise<string[]> {
  return (await redis.call<string[]>("HKEYS", `${redis.prefix}hives`)).toSorted(compareBytes);
}

export const createHive = (context: RedisContext, name: string): Promise<void> =>
  runHiveScript(context, CREATE, name, context.runtime.newId());
export const renameHive = (context: RedisContext, name: string, newName: string): Promise<void> =>
  runHiveScript(context, RENAME, name, newName);

export const clearHives = ({ redis }: RedisContext): Promise<void> => redis.removeAll("hive");

export async function deleteHive(context: RedisContext, name: string): Promise<void> {
  await runHiveScript(context, REMOVE, name);
  const { redis } = context;
  // Also finishes deletions that were interrupted when a process ended.
  for (const id of await redis.call<string[]>("SMEMBERS", `${redis.prefix}hive:gone`))
    while (
      (await redis.run(CLEAR, id, ...KINDS)) === 0 &&
      (await redis.call("SISMEMBER", `${redis.prefix}hive:gone`, id)) === 1
    );
}
