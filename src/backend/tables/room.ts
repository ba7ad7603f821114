import { type Db, one, sql } from "#platform/database";
import { tooMuch } from "./faults.ts";

/** What tables of programs may come to, all together; 0 for any number. */
export type Quota = { rows: number; bytes: number };
/** What they come to. */
export type Used = Quota;

/** Milliseconds after which it is measured again. */
const OLD = 10_000;

type Options = { db: Db; now: () => Date; quota: () => Promise<Quota> };

/**
 * How much room there is in the tables of programs. It is measured now and then, by what PostgreSQL knows without counting, and
 * counted in between: near enough that nobody fills a disk. A class, because it remembers what was measured.
 */
export class Room {
  readonly #options: Options;
  #measuring: Promise<Used> | null = null;
  #until = 0;
  #added = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes so many rows more, or none for a change that may need room. Throws 1021 where there is none. */
  async take(rows: number): Promise<void> {
    const { rows: mostRows, bytes: mostBytes } = await this.#options.quota();
    if (mostRows === 0 && mostBytes === 0) return;
    const used = await this.#measured();
    if (mostRows > 0 && rows > 0 && used.rows + this.#added + rows > mostRows)
      throw tooMuch(`The tables of programs have room for ${mostRows} records. Remove some, or ask for more room.`);
    if (mostBytes > 0 && used.bytes >= mostBytes)
      throw tooMuch(
        `The tables of programs have room for ${Math.round(mostBytes / 1_000_000)} MB. Ask for more room, or that a table is taken away.`,
      );
    this.#added += rows;
  }

  /** What is used at this moment, with what may be. */
  state = async (): Promise<{ used: Used; quota: Quota }> => ({
    used: await measure(this.#options.db),
    quota: await this.#options.quota(),
  });

  /** Tables went, or came: what was measured says little now. */
  forget = (): void => void (this.#measuring = null);

  #measured(): Promise<Used> {
    const now = this.#options.now().getTime();
    if (this.#measuring && now < this.#until) return this.#measuring;
    const measuring = measure(this.#options.db);
    this.#measuring = measuring;
    [this.#until, this.#added] = [now + OLD, 0];
    // A database that was away for a moment is asked again.
    measuring.catch(() => this.#measuring === measuring && this.forget());
    return measuring;
  }
}

/** Rows as the statistics have them; those of a table that was never looked at, as the planner guesses. Links are bytes, not rows. */
const measure = (db: Db): Promise<Used> =>
  one(
    db,
    sql<Used>`
      select coalesce(sum(pg_total_relation_size(c.oid)), 0)::double precision as bytes,
        coalesce(sum(greatest(coalesce(nullif(s.n_live_tup, 0), c.reltuples), 0)) filter (where c.relname like 't%'), 0)::double precision as rows
      from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
      where c.relnamespace = 'data'::regnamespace and c.relkind = 'r' and ${true}`,
  );
