import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { Refusal } from "#platform/refusal";

const CHANNEL = "kith_locks";
/** Milliseconds between two looks at whether another process has let go, and until one has waited long enough. */
const AGAIN = 50;
const PATIENCE = 30_000;

export type Wish = {
  /** Asked of whoever holds it when somebody else wants it, and when it is no longer sure that they do. May be called more than once. */
  letGo: () => void;
  /** Whoever waits for it does not want it any more. */
  signal: AbortSignal;
};
/** Who holds a name, or is next to: then there is nothing yet to let go of. */
type Held = { letGo: (() => void) | null; gone: Promise<void>; leave: () => void };

/**
 * Names that one at a time holds, in all processes on a database: an advisory lock each, on one connection of this process, which is
 * taken from the pool while anybody here holds or wants one. A process that ends lets go of all.
 */
export class Locks {
  readonly #pool: pg.Pool;
  readonly #patience: number;
  /** By names, who it is in this process: to the database all of us are one. */
  readonly #held = new Map<string, Held>();
  #line: Promise<pg.PoolClient> | null = null;
  #users = 0;

  constructor({ pool, patience = PATIENCE }: { pool: pg.Pool; patience?: number }) {
    this.#pool = pool;
    this.#patience = patience;
  }

  /** Waits until the name is free, and gives the way to let go of it. Throws `unavailable` after a while, and when it is not wanted any more. */
  async take(name: string, { letGo, signal }: Wish): Promise<() => Promise<void>> {
    const until = performance.now() + this.#patience;
    const waits = () => {
      if (signal.aborted || performance.now() > until) throw busy();
    };
    const mine = await this.#turn(name, waits);
    this.#users++;
    try {
      await this.#askOthers(name, waits);
    } catch (error) {
      await this.#left(mine);
      throw error;
    }
    mine.letGo = letGo;
    return () => this.#unlock(name).finally(() => this.#left(mine));
  }

  /** The turn of one in this process. */
  async #turn(name: string, waits: () => void): Promise<Held> {
    for (let holder = this.#held.get(name); holder; holder = this.#held.get(name)) {
      waits();
      holder.letGo?.();
      await Promise.race([holder.gone, pause(AGAIN)]);
    }
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      this.#held.delete(name);
      resolve();
    };
    const mine: Held = { letGo: null, gone, leave };
    this.#held.set(name, mine);
    return mine;
  }

  async #askOthers(name: string, waits: () => void): Promise<void> {
    for (;;) {
      const line = await this.#lineNow();
      const { rows } = await line.query<{ mine: boolean }>("select pg_try_advisory_lock(hashtextextended($1, 0)) as mine", [keyOf(name)]);
      if (rows[0]?.mine) return;
      waits();
      await line.query("select pg_notify($1, $2)", [CHANNEL, name]);
      await pause(AGAIN);
    }
  }

  /** On a connection that broke, which says so itself, nothing is held any more. */
  async #unlock(name: string): Promise<void> {
    const line = await this.#line?.catch(() => null);
    await line?.query("select pg_advisory_unlock(hashtextextended($1, 0))", [keyOf(name)]).catch(() => {});
  }

  /** The last one here gives the connection back. */
  async #left({ leave }: Held): Promise<void> {
    leave();
    if (--this.#users > 0) return;
    const line = this.#line;
    this.#line = null;
    const client = await line?.catch(() => null);
    if (!client) return;
    client.removeListener("notification", this.#heard).removeListener("end", this.#broken);
    const failed = await client.query(`unlisten ${CHANNEL}`).then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failed);
  }

  #lineNow(): Promise<pg.PoolClient> {
    const opening = (this.#line ??= this.#open());
    opening.catch(() => this.#line === opening && (this.#line = null));
    return opening;
  }

  async #open(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    try {
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    return client.on("notification", this.#heard).once("end", this.#broken);
  }

  /** Somebody in another process wants what is held here. */
  readonly #heard = ({ payload = "" }: pg.Notification): void => this.#held.get(payload)?.letGo?.();

  /** The connection is gone. Others may hold what was held here: nobody goes on as if they did. */
  readonly #broken = (): void => {
    const line = this.#line;
    this.#line = null;
    void line?.then((client) => client.release(true));
    for (const { letGo } of this.#held.values()) letGo?.();
  };
}

const keyOf = (name: string) => `lock:${name}`;
const busy = () => new Refusal("unavailable", "Somebody else is still at this. Please try again in a moment.", { retryAfter: 5 });
