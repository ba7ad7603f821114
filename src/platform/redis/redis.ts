import { createHash } from "node:crypto";
import { createClient, ErrorReply } from "@redis/client";
import { EnvironmentFault } from "#platform/environment";
import type { Log } from "#platform/log";
import { Refusal } from "#platform/refusal";

/** Milliseconds that one command may take. A server that needs longer is as good as away. */
const PATIENCE = 5_000;
const LONGEST_PAUSE = 2_000;
/** Commands that wait for their answers. Whoever comes beyond them is told to come back. */
const MOST_WAITING = 20_000;
/** The oldest Redis that has all we use. Valkey answers with a number of Redis that is newer. */
const OLDEST = [6, 2] as const;
/** Answers of a server that cannot do now what it will do again: out of memory, reading its data, a replica, busy, not able to write to its disk. */
const NOT_NOW = /(^|-)(OOM|LOADING|READONLY|BUSY|MASTERDOWN|NOREPLICAS|MISCONF|CLUSTERDOWN|TRYAGAIN)\b/;

type Client = ReturnType<typeof clientFor>;
type Options = {
  url: string;
  /** What all keys begin with, so that two communities can share a server. */
  prefix: string;
  log: Log;
  patience?: number;
};
/** Lua that the server runs as one: nobody else changes anything meanwhile. */
export type Script = { lua: string; sha: string };
export const script = (lua: string): Script => ({ lua, sha: createHash("sha1").update(lua).digest("hex") });

/** What the server has answered with an error; null for every other failure. */
export const saidBy = (error: unknown): string | null => (error instanceof ErrorReply ? error.message : null);

class Late extends Error {}

/**
 * A line to Redis. Each command is answered in time or refused with `unavailable`; a line that broke is opened anew with growing pauses. What was
 * on its way then is not sent again: nobody knows whether it was done.
 */
export class Redis {
  readonly prefix: string;
  readonly #options: Options;
  #client: Client;

  private constructor(options: Options, client: Client) {
    this.#options = options;
    this.#client = client;
    this.prefix = options.prefix;
  }

  /** Throws `EnvironmentFault` in one sentence when the server cannot be reached, does not let us in, or is too old. */
  static async open(options: Options): Promise<Redis> {
    const redis = new Redis(options, clientFor(options));
    try {
      await redis.#inTime((client) => client.connect());
      const version = /^redis_version:(\d+)\.(\d+)/m.exec(String(await redis.call("INFO", "server")));
      const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
      if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
        throw new Error(`it is ${major}.${minor}, and ${OLDEST.join(".")} is needed`);
      return redis;
    } catch (error) {
      redis.close();
      throw new EnvironmentFault("REDIS_URL", `names a Redis that cannot be used (${reasonOf(error)}).`);
    }
  }

  /** One command. Throws `unavailable` when it is not answered in time; it may have been done all the same. */
  call(...words: string[]): Promise<unknown> {
    return this.#inTime((client) => client.sendCommand(words));
  }

  /** Several commands as one. Throws `unavailable`. */
  together(commands: string[][]): Promise<unknown[]> {
    return this.#inTime(async (client) => {
      const multi = client.multi();
      for (const words of commands) multi.addCommand(words);
      return (await multi.exec()) as unknown[];
    });
  }

  /** Runs a script, which gets our prefix as its one key. Throws `unavailable`. */
  async run({ lua, sha }: Script, ...args: (string | number)[]): Promise<unknown> {
    const rest = ["1", this.prefix, ...args.map(String)];
    try {
      return await this.call("EVALSHA", sha, ...rest);
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith("NOSCRIPT")) throw error;
      return this.call("EVAL", lua, ...rest);
    }
  }

  /** Takes away all keys whose names, after our prefix, begin so. In shares, so that nobody waits for it long. Throws `unavailable`. */
  async removeAll(begin: string): Promise<void> {
    const pattern = `${(this.prefix + begin).replace(/[*?[\]\\^]/g, "\\$&")}*`;
    let cursor = "0";
    do {
      const [next, keys] = (await this.call("SCAN", cursor, "MATCH", pattern, "COUNT", "1000")) as [string, string[]];
      if (keys.length > 0) await this.call("UNLINK", ...keys);
      cursor = next;
    } while (cursor !== "0");
  }

  /**
   * A line of its own to the same server, for who listens. It says when it stands and when it is broken; what is said while it is broken, nobody
   * hears. Returns the way to end it.
   */
  listen(channel: string, { onHeard, onLine }: { onHeard: (text: string) => void; onLine: (stands: boolean) => void }): () => void {
    const client = clientFor(this.#options, { known: true, says: false });
    let listens = false;
    client.on("ready", () => {
      // Once it does, the client begins with it whenever the line stands again.
      const begun = listens ? Promise.resolve() : client.subscribe(this.prefix + channel, onHeard);
      begun.then(
        () => onLine((listens = true)),
        () => {},
      );
    });
    client.on("error", () => onLine(false));
    client.connect().catch(() => {});
    return () => client.isOpen && client.destroy();
  }

  close(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #inTime<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = this.#client;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Late("no answer in time")), this.#options.patience ?? PATIENCE);
    try {
      return await Promise.race([work(client), late.promise]);
    } catch (error) {
      const answered = error instanceof ErrorReply;
      if (answered && !NOT_NOW.test(error.message)) throw error;
      // A line that is silent may be dead without anybody having said so, and one to a replica leads to the wrong server.
      if (error instanceof Late || (answered && error.message.includes("READONLY"))) this.#renew(client);
      throw away(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #renew(client: Client): void {
    if (this.#client !== client || !client.isOpen) return;
    client.destroy();
    this.#client = clientFor(this.#options, { known: true });
    this.#client.connect().catch(() => {});
  }
}

/** A client that begins again whenever its line breaks; at first it says so instead, unless the server is known. */
function clientFor({ url, log }: Options, { known = false, says = true } = {}) {
  let wasReady = known;
  const client = createClient({
    url,
    RESP: 2,
    name: "kith",
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING,
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (tries: number) => (wasReady ? Math.min(50 * 2 ** Math.min(tries, 10), LONGEST_PAUSE) : false),
    },
  });
  let said = false;
  client.on("ready", () => {
    if (said && says) log.info("the line to Redis stands again");
    [wasReady, said] = [true, false];
  });
  // It tells of each try that fails; once is enough.
  client.on("error", (error: Error) => {
    if (wasReady && !said && says) log.warn({ err: error }, "the line to Redis broke");
    said = wasReady;
  });
  return client;
}

const away = (cause: unknown) =>
  Object.assign(
    new Refusal("unavailable", "What is asked for lies in a store that cannot be reached right now. Please try again in a moment.", {
      retryAfter: 5,
    }),
    {
      cause,
    },
  );

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof Refusal ? error.cause : error;
  const { code, message } = cause as Error & { code?: string };
  return code ?? (message || "no answer");
};
