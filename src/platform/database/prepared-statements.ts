/**
 * Maximum number of prepared statements. More distinct statements mean that SQL is concatenated somewhere;
 * further statements stay unprepared.
 */
const MAX_NAMES = 1_000;

/**
 * Prefix of statements whose text depends on an API client's query. Without a limit of their own they could
 * use up all names.
 */
const CLIENT_PREFIX = "/* asked */";
const MAX_CLIENT_NAMES = 300;
const MAX_CLIENT_LENGTH = 4_000;

/** Prefix of statements whose best plan changes as a table grows: they are planned on each use. */
const REPLAN_PREFIX = "/* anew */";

/** Prefix of statements that look rows up by key alone: the same plan suits all values. */
const BY_KEY_PREFIX = "/* by keys */";

/** Names of the prepared statements of one pool. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  /** Texts of API clients' statements that were seen once. */
  readonly #seenOnce = new Set<string>();
  #clientNameCount = 0;

  /**
   * Returns the name under which PostgreSQL prepares a statement, so that it is parsed and planned once per
   * connection (measured: 1.6 to 1.9 times the page queries per second); undefined to leave it unprepared.
   * Lists are passed as `= any($1)`, never as many parameters.
   */
  statementName(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_NAMES || !this.#mayBePrepared(text)) return known;
    const name = `k${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Returns the name of a statement on connections for ad-hoc queries, undefined to leave it unprepared.
   * Only lookups by key are prepared: they join so many tables that planning takes longer than running
   * (measured: 4.4 of 5.9 ms). All other statements are planned for their own values.
   */
  adHocStatementName(text: string): string | undefined {
    return text.startsWith(BY_KEY_PREFIX) ? this.statementName(text) : undefined;
  }

  /** An API client's statement is prepared on its second use, up to the limit for such statements. */
  #mayBePrepared(text: string): boolean {
    if (text.startsWith(REPLAN_PREFIX)) return false;
    if (!text.startsWith(CLIENT_PREFIX)) return true;
    if (this.#clientNameCount === MAX_CLIENT_NAMES || text.length > MAX_CLIENT_LENGTH) return false;
    if (this.#seenOnce.delete(text)) {
      this.#clientNameCount++;
      return true;
    }
    if (this.#seenOnce.size === MAX_CLIENT_NAMES) this.#seenOnce.clear();
    this.#seenOnce.add(text);
    return false;
  }
}
