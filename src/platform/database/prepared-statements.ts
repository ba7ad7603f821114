/**
 * More distinct statements than this means that SQL is concatenated somewhere; those beyond stay unprepared.
 */
const MAX_NAMES = 1_000;

/** Prefix of statements whose text depends on an API client's query: they could use up all names. */
const CLIENT_PREFIX = "/* asked */";
const MAX_CLIENT_NAMES = 300;
const MAX_CLIENT_LENGTH = 4_000;

/** Prefix of statements whose best plan changes as a table grows: they are planned each time. */
const REPLAN_PREFIX = "/* anew */";

/** Prefix of statements that look rows up by key alone: one plan is as good as another. */
const BY_KEY_PREFIX = "/* by keys */";

/** Names of the prepared statements of one pool. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  /** Texts of API clients' statements that were seen once. */
  readonly #seenOnce = new Set<string>();
  #clientNameCount = 0;

  /**
   * Name under which PostgreSQL prepares a statement, so that it is parsed and planned once per connection
   * (measured: 1.6 to 1.9 times the page queries per second). Lists are passed as `= any($1)`, never as many
   * parameters.
   */
  statementName(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_NAMES || !this.#mayBePrepared(text)) return known;
    const name = `k${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Name of a statement on connections for queries that all differ. Each is planned for its own values, except
   * those by key alone: they join so many tables that planning takes longer than running (measured: 4.4 of
   * 5.9 ms).
   */
  adHocStatementName(text: string): string | undefined {
    return text.startsWith(BY_KEY_PREFIX) ? this.statementName(text) : undefined;
  }

  /** An API client's statement is prepared on its second use, while there are names left for such. */
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
