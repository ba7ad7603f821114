import { parseGlob, type Redis, defineScript } from "#platform/redis";
import { MAX_COUNTERS, type CounterStore } from "./counter-store.ts";

/** Number of names that one Redis call scans. */
const SCAN_BATCH = 1_000;

/** All counters are fields of one hash, which Redis increments. A sorted set has their names in order. */
const SCRIPT_PRELUDE = `
local numbers, names, name = KEYS[1] .. 'counters', KEYS[1] .. 'counters:names', ARGV[1]
local there = redis.call('HEXISTS', numbers, name) == 1
if not there and redis.call('HLEN', numbers) >= tonumber(ARGV[2]) then return 'full' end
if not there then
  redis.call('HSET', numbers, name, '0')
  redis.call('ZADD', names, 0, name)
end
`;
// The result is read back as text, since numbers in Lua are exact only up to 53 bits.
const ADD = defineScript(`${SCRIPT_PRELUDE}
local added = redis.pcall('HINCRBY', numbers, name, ARGV[3])
if type(added) == 'table' and added.err then return 'beyond' end
return redis.call('HGET', numbers, name)`);
const COMPARE_AND_SET = defineScript(`${SCRIPT_PRELUDE}
if redis.call('HGET', numbers, name) ~= ARGV[3] then return '0' end
redis.call('HSET', numbers, name, ARGV[4])
return '1'`);
const RESET = defineScript(`${SCRIPT_PRELUDE}
redis.call('HSET', numbers, name, '0')
return '1'`);

export function createRedisCounters(redis: Redis): CounterStore {
  const change = (what: typeof ADD, name: string, ...numbers: bigint[]) =>
    redis.run<string>(what, name, MAX_COUNTERS, ...numbers.map(String));
  return {
    async read(name) {
      const text = await redis.call<string | null>("HGET", `${redis.prefix}counters`, name);
      return text === null ? undefined : BigInt(text);
    },
    async add(name, by) {
      const now = await change(ADD, name, by);
      return now === "full" || now === "beyond" ? now : BigInt(now);
    },
    async compareAndSet(name, expected, update) {
      const done = await change(COMPARE_AND_SET, name, expected, update);
      return done === "full" ? done : done === "1";
    },
    async reset(name) {
      if ((await change(RESET, name)) === "full") return "full";
    },
    list: (pattern, most) => scanNames(redis, pattern, most),
    empty: () => redis.removeAll("counters"),
  };
}

/** Scans in batches, so that other clients do not wait for a scan of all names. */
async function scanNames(redis: Redis, pattern: string, most: number): Promise<string[]> {
  const { begin, matches } = parseGlob(pattern);
  const found: string[] = [];
  for (let from = `[${begin}`; found.length < most;) {
    const share = await redis.call<string[]>(
      "ZRANGEBYLEX",
      `${redis.prefix}counters:names`,
      from,
      "+",
      "LIMIT",
      "0",
      String(SCAN_BATCH),
    );
    found.push(...share.filter(matches));
    const last = share.at(-1);
    // Names with a common prefix are adjacent, so the scan ends at the first name without it.
    if (last === undefined || share.length < SCAN_BATCH || !last.startsWith(begin)) break;
    from = `(${last}`;
  }
  return found.slice(0, most);
}
