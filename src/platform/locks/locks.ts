import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { toError } from "#platform/errors";
import { Refusal } from "#platform/refusal";

const CHANNEL = "kith_locks";
/** Milliseconds between two attempts while another process holds the lock. */
const RETRY_INTERVAL = 50;
/** Milliseconds after which a waiter gives up. */
const LOCK_TIMEOUT = 30_000;

export type LockRequest = {
  /**
   * Called when another holder waits for the lock, and when the lock may be lost. May be called more than
   * once.
   */
  onReleaseRequest: () => void;
  /** Aborted when the waiter gives up. */
  signal: AbortSignal;
};
/**
 * Holder of a name. `onReleaseRequest` is null until the holder has the lock: there is nothing to release
 * before.
 */
type HeldLock = { onReleaseRequest: (() => void) | null; gone: Promise<void>; leave: () => void };

/**
 * Named mutexes across all processes of a database: advisory locks on one connection of this process, which
 * is taken from the pool while any lock is held or awaited. When a process ends, its locks are released.
 */
export class Locks {
  readonly #pool: pg.Pool;
  readonly #timeout: number;
  /** Holders within this process by name: for the database, all of them are one session. */
  readonly #held = new Map<string, HeldLock>();
  #line: Promise<pg.PoolClient> | null = null;
  #users = 0;

  constructor({ pool, timeout = LOCK_TIMEOUT }: { pool: pg.Pool; timeout?: number }) {
    this.#pool = pool;
    this.#timeout = timeout;
  }

  /**
   * Waits until the name is free and returns the release function.
   * @throws `unavailable` after a timeout or an abort
   */
  async take(name: string, { onReleaseRequest, signal }: LockRequest): Promise<() => Promise<void>> {
    const until = performance.now() + this.#timeout;
    const waits = () => {
      if (signal.aborted || performance.now() > until) throw busyRefusal();
    };
    const mine = await this.#turn(name, waits);
    this.#users++;
    try {
      await this.#askOthers(name, waits);
    } catch (error) {
      await this.#left(mine);
      throw error;
    }
    mine.onReleaseRequest = onReleaseRequest;
    return () => this.#unlock(name).finally(() => this.#left(mine));
  }

  /** Waits for its turn among the holders within this process. */
  async #turn(name: string, waits: () => void): Promise<HeldLock> {
    for (let holder = this.#held.get(name); holder; holder = this.#held.get(name)) {
      waits();
      holder.onReleaseRequest?.();
      await Promise.race([holder.gone, pause(RETRY_INTERVAL)]);
    }
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      this.#held.delete(name);
      resolve();
    };
    const mine: HeldLock = { onReleaseRequest: null, gone, leave };
    this.#held.set(name, mine);
    return mine;
  }

  async #askOthers(name: string, waits: () => void): Promise<void> {
    for (;;) {
      const line = await this.#lineNow();
      const { rows } = await line.query<{ mine: boolean }>(
        "select pg_try_advisory_lock(hashtextextended($1, 0)) as mine",
        [lockKey(name)],
      );
      if (rows[0]?.mine) return;
      waits();
      await line.query("select pg_notify($1, $2)", [CHANNEL, name]);
      await pause(RETRY_INTERVAL);
    }
  }

  /** A failed unlock is ignored: the connection is then broken, and holds no locks any more. */
  async #unlock(name: string): Promise<void> {
    const line = await this.#line?.catch(() => null);
    await line?.query("select pg_advisory_unlock(hashtextextended($1, 0))", [lockKey(name)]).catch(() => {});
  }

  /** Releases the name within this process. The last user returns the connection to the pool. */
  async #left({ leave }: HeldLock): Promise<void> {
    leave();
    if (--this.#users > 0) return;
    const line = this.#line;
    this.#line = null;
    const client = await line?.catch(() => null);
    if (!client) return;
    client.removeListener("notification", this.#onReleaseRequest).removeListener("end", this.#broken);
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
      client.release(toError(error));
      throw error;
    }
    return client.on("notification", this.#onReleaseRequest).once("end", this.#broken);
  }

  /** Another process waits for a lock that is held here: asks the holder to release it. */
  readonly #onReleaseRequest = ({ payload = "" }: pg.Notification): void =>
    this.#held.get(payload)?.onReleaseRequest?.();

  /** The connection is lost. Other processes may have taken the locks, so every holder is asked to stop. */
  readonly #broken = (): void => {
    const line = this.#line;
    this.#line = null;
    void line?.then((client) => client.release(true));
    for (const { onReleaseRequest } of this.#held.values()) onReleaseRequest?.();
  };
}

const lockKey = (name: string) => `lock:${name}`;
const busyRefusal = () =>
  new Refusal("unavailable", "This is in use by someone else. Try again in a moment.", { retryAfter: 5 });
