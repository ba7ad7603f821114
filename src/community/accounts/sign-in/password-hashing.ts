import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { tooManyRequests } from "#platform/limits";
import { KeyedQueue } from "#platform/queue";

const derive = promisify(argon2);

/**
 * Argon2id parameters, the second set that OWASP recommends: 19 MiB, two passes, one lane. About 30 ms of
 * one core.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

// Maximum number of hashes computed in parallel. Many concurrent sign-ins must leave pool threads for file
// and DNS work, and must not use up the memory.
const MAX_PARALLEL = 2;
const MAX_QUEUED = 48;

const queue = new KeyedQueue(MAX_PARALLEL);

/**
 * Runs `work` when a slot is free.
 * @throws `too-many` when the queue is full
 */
async function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (queue.size >= MAX_PARALLEL + MAX_QUEUED) throw tooManyRequests(5);
  return queue.run("hashes", work);
}

/** Password hash in PHC notation (`$argon2id$v=19$m=…`). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await runQueued(() =>
    derive("argon2id", { message: password.normalize("NFKC"), nonce, ...COST }),
  );
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(key)}`;
}

const HASH_FORMAT =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Compares a password with its hash. Without a hash it takes the same time and returns false, so that timing
 * reveals no accounts.
 */
export async function isPasswordCorrect(password: string, stored: string | null): Promise<boolean> {
  const parts = HASH_FORMAT.exec(stored ?? "");
  const nonce = parts ? Buffer.from(parts[4]!, "base64") : randomBytes(16);
  const key = parts ? Buffer.from(parts[5]!, "base64") : randomBytes(COST.tagLength);
  const cost = parts
    ? {
        memory: Number(parts[1]),
        passes: Number(parts[2]),
        parallelism: Number(parts[3]),
        tagLength: key.length,
      }
    : COST;
  const hash = await runQueued(() =>
    derive("argon2id", { message: password.normalize("NFKC"), nonce, ...cost }),
  );
  return timingSafeEqual(hash, key) && parts !== null;
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
