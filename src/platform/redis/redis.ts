import { createHash } from "node:crypto";
import { createClient, ErrorReply } from "@redis/client";
import { EnvironmentError } from "#platform/environment";
import { errorCode } from "#platform/errors";
import type { Log } from "#platform/log";
import { Refusal } from "#platform/refusal";

/** Milliseconds per command. A server that takes longer counts as unavailable. */
const COMMAND_TIMEOUT = 5_000;
const MAX_PAUSE = 2_000;
/** Maximum number of commands that wait for a response. Further commands are refused. */
const MAX_PENDING = 20_000;
/** The oldest supported version of Redis. Valkey reports a newer one. */
const OLDEST_VERSION = [6, 2] as const;
/** Temporary errors of a server: out of memory, loading data, a replica, busy, unable to write to disk. */
const TEMPORARY_ERROR =
  /(^|-)(OOM|LOADING|READONLY|BUSY|MASTERDOWN|NOREPLICAS|MISCONF|CLUSTERDOWN|TRYAGAIN)\b/;

type RedisClient = ReturnType<typeof createRedisClient>;
type RedisOptions = {
  url: string;
  /** Prefix of all keys, so that two communities can share a server. */
  prefix: string;
  log: Log;
  timeout?: number;
};
/** Lua script that the server runs atomically. */
export type RedisScript = { lua: string; sha: string };
export const defineScript = (lua: string): RedisScript => ({
  lua,
  sha: createHash("sha1").update(lua).digest("hex"),
});

/** The error that the server replied; null for every other failure. */
export const redisErrorMessage = (error: unknown): string | null =>
  error instanceof ErrorReply ? error.message : null;

class CommandTimeout extends Error {}

/**
 * Connection to Redis. Each command is answered in time or refused with `unavailable`; a broken connection
 * is reopened with growing pauses. Commands in flight are not resent, because they may have run.
 */
export class Redis {
  readonly prefix: string;
  readonly #options: RedisOptions;
  #client: RedisClient;

  private constructor(options: RedisOptions, client: RedisClient) {
    this.#options = options;
    this.#client = client;
    this.prefix = options.prefix;
  }

  /** @throws `EnvironmentError` in one sentence when the server is unreachable, refuses us, or is too old */
  static async open(options: RedisOptions): Promise<Redis> {
    const redis = new Redis(options, createRedisClient(options));
    try {
      await redis.#inTime((client) => client.connect());
      const version = /^redis_version:(\d+)\.(\d+)/m.exec(String(await redis.call("INFO", "server")));
      const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
      if (major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1]))
        throw new Error(`version ${major}.${minor}; ${OLDEST_VERSION.join(".")} or later is needed`);
      return redis;
    } catch (error) {
      redis.close();
      throw new EnvironmentError(
        "REDIS_URL",
        `names a Redis that cannot be used (${connectionFailure(error)}).`,
      );
    }
  }

  /**
   * Runs one command. `T` is the type of its reply, which the command determines.
   * @throws `unavailable` on a timeout; the command may have run nevertheless
   */
  call<T = unknown>(...words: string[]): Promise<T> {
    return this.#inTime((client) => client.sendCommand<T>(words));
  }

  /**
   * Runs several commands as one transaction.
   * @throws `unavailable`
   */
  together(commands: string[][]): Promise<unknown[]> {
    return this.#inTime(async (client) => {
      const multi = client.multi();
      for (const words of commands) multi.addCommand(words);
      return (await multi.exec()) as unknown[];
    });
  }

  /**
   * Runs a script, whose only key is our prefix. `T` is the type of its reply.
   * @throws `unavailable`
   */
  async run<T = unknown>({ lua, sha }: RedisScript, ...args: (string | number)[]): Promise<T> {
    const rest = ["1", this.prefix, ...args.map(String)];
    try {
      return await this.call<T>("EVALSHA", sha, ...rest);
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith("NOSCRIPT")) throw error;
      return this.call<T>("EVAL", lua, ...rest);
    }
  }

  /**
   * Deletes all keys that start with our prefix and `begin`, in batches so small that other clients do not
   * wait long.
   * @throws `unavailable`
   */
  async removeAll(begin: string): Promise<void> {
    const pattern = `${(this.prefix + begin).replace(/[*?[\]\\^]/g, "\\$&")}*`;
    let cursor = "0";
    do {
      const [next, keys] = await this.call<[string, string[]]>(
        "SCAN",
        cursor,
        "MATCH",
        pattern,
        "COUNT",
        "1000",
      );
      if (keys.length > 0) await this.call("UNLINK", ...keys);
      cursor = next;
    } while (cursor !== "0");
  }

  /**
   * Opens a separate connection for a listener. `onConnection` reports whether it is up; messages during an
   * outage are lost. Returns the function that closes it.
   */
  listen(
    channel: string,
    {
      onMessage,
      onConnection,
    }: { onMessage: (text: string) => void; onConnection: (isConnected: boolean) => void },
  ): () => void {
    const client = createRedisClient(this.#options, { known: true, says: false });
    let listens = false;
    client.on("ready", () => {
      // After a reconnect the client subscribes again by itself.
      const begun = listens ? Promise.resolve() : client.subscribe(this.prefix + channel, onMessage);
      begun.then(
        () => onConnection((listens = true)),
        () => {},
      );
    });
    client.on("error", () => onConnection(false));
    client.connect().catch(() => {});
    return () => client.isOpen && client.destroy();
  }

  close(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #inTime<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    const client = this.#client;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new CommandTimeout("no answer in time")),
      this.#options.timeout ?? COMMAND_TIMEOUT,
    );
    try {
      return await Promise.race([work(client), late.promise]);
    } catch (error) {
      const answered = error instanceof ErrorReply;
      if (answered && !TEMPORARY_ERROR.test(error.message)) throw error;
      // A silent connection may be dead without an error, and a connection to a replica reaches the wrong
      // server.
      if (error instanceof CommandTimeout || (answered && error.message.includes("READONLY")))
        this.#renew(client);
      throw unavailableRefusal(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #renew(client: RedisClient): void {
    if (this.#client !== client || !client.isOpen) return;
    client.destroy();
    this.#client = createRedisClient(this.#options, { known: true });
    this.#client.connect().catch(() => {});
  }
}

/** Creates a client that reconnects. Its first attempt fails at once, unless the server is already known. */
function createRedisClient({ url, log }: RedisOptions, { known = false, says = true } = {}) {
  let wasReady = known;
  const client = createClient({
    url,
    RESP: 2,
    name: "kith",
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_PENDING,
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (tries: number) =>
        wasReady ? Math.min(50 * 2 ** Math.min(tries, 10), MAX_PAUSE) : false,
    },
  });
  let isFailureLogged = false;
  client.on("ready", () => {
    if (isFailureLogged && says) log.info("reconnected to Redis");
    [wasReady, isFailureLogged] = [true, false];
  });
  // Emitted on every failed attempt, but logged once.
  client.on("error", (error: Error) => {
    if (wasReady && !isFailureLogged && says) log.warn({ err: error }, "the connection to Redis was lost");
    isFailureLogged = wasReady;
  });
  return client;
}

const unavailableRefusal = (cause: unknown) =>
  Object.assign(
    new Refusal("unavailable", "The storage is not reachable right now. Try again in a moment.", {
      retryAfter: 5,
    }),
    {
      cause,
    },
  );

const connectionFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof Refusal ? error.cause : error;
  return errorCode(cause) ?? ((cause instanceof Error && cause.message) || "no answer");
};
