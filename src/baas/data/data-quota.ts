import { msg } from "#platform/messages";
import { type Db, one, sql } from "#platform/database";
import { dataTooLarge } from "./data-errors.ts";

/** Limits of all data tables together; 0 means unlimited. */
export type Quota = { rows: number; bytes: number };
export type QuotaUsage = Quota;

/** Milliseconds for which a measurement is used. */
const MAX_AGE = 10_000;

type QuotaOptions = { db: Db; now: () => Date; quota: () => Promise<Quota> };

/**
 * Quota of the data tables. Usage is measured at intervals from PostgreSQL's statistics and counted in
 * between. This is exact enough to prevent a full disk. A class, because it caches the measurement.
 */
export class DataQuota {
  readonly #options: QuotaOptions;
  #measuring: Promise<QuotaUsage> | null = null;
  #until = 0;
  #added = 0;

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /**
   * Reserves new rows. 0 stands for a change that adds no rows but may need space.
   * @throws 1021 when the quota is used up
   */
  async take(rows: number): Promise<void> {
    const { rows: mostRows, bytes: mostBytes } = await this.#options.quota();
    if (mostRows === 0 && mostBytes === 0) return;
    const used = await this.#measured();
    if (mostRows > 0 && rows > 0 && used.rows + this.#added + rows > mostRows)
      throw dataTooLarge(
        msg("Data tables are limited to {count} records in total. Delete some, or raise the limit.", {
          count: mostRows,
        }),
      );
    if (mostBytes > 0 && used.bytes >= mostBytes)
      throw dataTooLarge(
        msg("Data tables are limited to {count} MB in total. Delete a table, or raise the limit.", {
          count: Math.round(mostBytes / 1_000_000),
        }),
      );
    this.#added += rows;
  }

  /** The current usage and limits. */
  state = async (): Promise<{ used: QuotaUsage; quota: Quota }> => ({
    used: await measureUsage(this.#options.db),
    quota: await this.#options.quota(),
  });

  /** Drops the measurement; call after tables were created or dropped. */
  forget = (): void => void (this.#measuring = null);

  #measured(): Promise<QuotaUsage> {
    const now = this.#options.now().getTime();
    if (this.#measuring && now < this.#until) return this.#measuring;
    const measuring = measureUsage(this.#options.db);
    this.#measuring = measuring;
    [this.#until, this.#added] = [now + MAX_AGE, 0];
    // A failed measurement is repeated by the next caller.
    measuring.catch(() => this.#measuring === measuring && this.forget());
    return measuring;
  }
}

/**
 * Reads the number of rows from the statistics, or from the planner's estimate for tables that were never
 * analysed. Links of relations count as bytes, not as rows.
 */
const measureUsage = (db: Db): Promise<QuotaUsage> =>
  one(
    db,
    sql<QuotaUsage>`
      select coalesce(sum(pg_total_relation_size(c.oid)), 0)::double precision as bytes,
        coalesce(sum(greatest(coalesce(nullif(s.n_live_tup, 0), c.reltuples),
          0)) filter (where c.relname like 't%'), 0)::double precision as rows
      from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
      where c.relnamespace = 'data'::regnamespace and c.relkind = 'r' and ${true}`,
  );
