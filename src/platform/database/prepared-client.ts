import pg from "pg";
import { limitResponseSize } from "./response-limit.ts";

/**
 * More distinct statements than this means that SQL is concatenated somewhere; those beyond stay unprepared.
 */
const MAX_NAMES = 1_000;
const names = new Map<string, string>();

/** Prefix of statements whose text depends on an API client's query: they could use up all names. */
const CLIENT_PREFIX = "/* asked */";
const MAX_CLIENT_NAMES = 300;
const MAX_CLIENT_LENGTH = 4_000;
/** Texts of API clients' statements that were seen once. */
const seenOnce = new Set<string>();
let clientNameCount = 0;

/** Prefix of statements whose best plan changes as a table grows: they are planned each time. */
const REPLAN_PREFIX = "/* anew */";

/** An API client's statement is prepared on its second use, while there are names left for such. */
function mayBePrepared(text: string): boolean {
  if (text.startsWith(REPLAN_PREFIX)) return false;
  if (!text.startsWith(CLIENT_PREFIX)) return true;
  if (clientNameCount === MAX_CLIENT_NAMES || text.length > MAX_CLIENT_LENGTH) return false;
  if (seenOnce.delete(text)) {
    clientNameCount++;
    return true;
  }
  if (seenOnce.size === MAX_CLIENT_NAMES) seenOnce.clear();
  seenOnce.add(text);
  return false;
}

function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MAX_NAMES || !mayBePrepared(text)) return known;
  const name = `k${names.size}`;
  names.set(text, name);
  return name;
}

type QueryInput = string | { text: string; values?: unknown[]; name?: string };

/**
 * pg copies a query config property by property unless it is a Query object already; the copy was most of our
 * time per query.
 */
const runNamed = (pass: (query: pg.Query) => void, text: string, values: unknown[]) =>
  new Promise<pg.QueryResult>((answered, failed) => {
    const query = new pg.Query(text, values, (error, result) => (error ? failed(error) : answered(result)));
    pass(Object.assign(query, { name: statementName(text) }));
  });

/**
 * Statement that commits together with the last query (`queryAndCommit`). The transaction's owner still sends
 * its own COMMIT and gets that result.
 */
export const COMMIT_WITH_LAST = "commit -- with the last";

const BEGIN_RESULT = { command: "BEGIN", rowCount: null, rows: [] };
/** Write stream of a pg connection. */
type PgStream = { stream: { cork: () => void; uncork: () => void } };

/**
 * Client that prepares each statement with parameters, so PostgreSQL parses and plans it once per connection
 * (measured: 1.6 to 1.9 times the page queries per second). Lists are passed as `= any($1)`, never as many
 * parameters. Pipelined queries are sent as one packet, and BEGIN is sent with the first statement; both need
 * `pipeline`.
 */
export class PreparedClient extends pg.Client {
  /** BEGIN that waits for the first statement. */
  #held = false;
  #gathering = false;
  /** Result of a COMMIT that was sent with the last statement, until the transaction's owner asks for it. */
  #ended: Promise<unknown> | null = null;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    limitResponseSize(this);
  }

  // @ts-expect-error -- pg declares eight overloads of one method; all but those below pass through untouched
  override query(input: QueryInput, values?: unknown[], done?: unknown) {
    const pass = super.query.bind(this) as (...args: unknown[]) => unknown;
    this.#gather();
    if (input === "begin" && done === undefined) return this.#begin(pass);
    if (this.#ended) return this.#over(input);
    if (input === COMMIT_WITH_LAST) return (this.#ended = pass("commit") as Promise<unknown>);
    const answer =
      typeof input !== "string" || !Array.isArray(values) || values.length === 0
        ? pass(input, values, done)
        : done === undefined
          ? runNamed(pass, input, values)
          : pass({ name: statementName(input), text: input, values }, undefined, done);
    if (this.#held) this.#line.stream.uncork();
    this.#held = false;
    return answer;
  }

  #gather() {
    if (this.#gathering) return;
    this.#gathering = true;
    const { stream } = this.#line;
    stream.cork();
    process.nextTick(() => {
      this.#gathering = false;
      stream.uncork();
    });
  }

  /** BEGIN only fails with the whole connection, and queries after it fail with that too. */
  #begin(pass: (...args: unknown[]) => unknown): Promise<typeof BEGIN_RESULT> {
    this.#held = true;
    this.#line.stream.cork();
    void (pass("begin") as Promise<unknown>).catch(() => {});
    return Promise.resolve(BEGIN_RESULT);
  }

  /** Rejects queries after an early commit: they would be stored on their own, outside the transaction. */
  #over(input: QueryInput): Promise<unknown> {
    const ended = this.#ended!;
    if (input !== "commit" && input !== "rollback")
      throw new Error("The transaction has ended with its previous statement: nothing can follow.");
    this.#ended = null;
    return ended;
  }

  get #line() {
    return (this as unknown as { connection: PgStream }).connection;
  }
}

/** Prefix of statements that look rows up by key alone: one plan is as good as another. */
const BY_KEY_PREFIX = "/* by keys */";

/**
 * Client for queries that all differ. Each is planned for its own values, except those by key alone: they
 * join so many tables that planning takes longer than running (measured: 4.4 of 5.9 ms).
 */
export class AdHocClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    limitResponseSize(this);
  }

  // @ts-expect-error -- pg declares eight overloads of one method; all but this one pass through untouched
  override query(input: QueryInput, values?: unknown[], done?: unknown) {
    const pass = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof input !== "string" || !Array.isArray(values) || !input.startsWith(BY_KEY_PREFIX))
      return pass(input, values, done);
    return pass({ name: statementName(input), text: input, values }, undefined, done);
  }
}
