import pg from "pg";
import { boundAnswers } from "./answer-bound.ts";

/**
 * More distinct statements than this means that SQL is concatenated somewhere; those beyond stay unprepared.
 */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

/** Prefix of statements whose text depends on an API client's query: they could use up all names. */
const BY_CALLERS = "/* asked */";
const MOST_BY_CALLERS = 300;
const LONGEST_BY_CALLERS = 4_000;
/** Texts of API clients' statements that were seen once. */
const seenOnce = new Set<string>();
let namedByCallers = 0;

/** Prefix of statements whose best plan changes as a table grows: they are planned each time. */
const ANEW = "/* anew */";

/** An API client's statement is prepared on its second use, while there are names left for such. */
function mayBeNamed(text: string): boolean {
  if (text.startsWith(ANEW)) return false;
  if (!text.startsWith(BY_CALLERS)) return true;
  if (namedByCallers === MOST_BY_CALLERS || text.length > LONGEST_BY_CALLERS) return false;
  if (seenOnce.delete(text)) {
    namedByCallers++;
    return true;
  }
  if (seenOnce.size === MOST_BY_CALLERS) seenOnce.clear();
  seenOnce.add(text);
  return false;
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST_NAMES || !mayBeNamed(text)) return known;
  const name = `k${names.size}`;
  names.set(text, name);
  return name;
}

type Asked = string | { text: string; values?: unknown[]; name?: string };

/**
 * pg copies a query config property by property unless it is a Query object already; the copy was most of our
 * time per query.
 */
const named = (pass: (query: pg.Query) => void, text: string, values: unknown[]) =>
  new Promise<pg.QueryResult>((answered, failed) => {
    const query = new pg.Query(text, values, (error, result) => (error ? failed(error) : answered(result)));
    pass(Object.assign(query, { name: nameOf(text) }));
  });

/**
 * Statement that commits together with the last query (`queryAndCommit`). The transaction's owner still sends
 * its own COMMIT and gets that result.
 */
export const ENDING = "commit -- with the last";

const BEGUN = { command: "BEGIN", rowCount: null, rows: [] };
/** Write stream of a pg connection. */
type Line = { stream: { cork: () => void; uncork: () => void } };

/**
 * Client that prepares each statement with parameters, so PostgreSQL parses and plans it once per connection
 * (measured: 1.6 to 1.9 times the page queries per second). Lists are passed as `= any($1)`, never as many
 * parameters. Pipelined queries are sent as one packet, and BEGIN is sent with the first statement; both need
 * `pipeline`.
 */
export class NamingClient extends pg.Client {
  /** BEGIN that waits for the first statement. */
  #held = false;
  #gathering = false;
  /** Result of a COMMIT that was sent with the last statement, until the transaction's owner asks for it. */
  #ended: Promise<unknown> | null = null;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    boundAnswers(this);
  }

  // @ts-expect-error -- pg declares eight overloads of one method; all but those below pass through untouched
  override query(asked: Asked, values?: unknown[], done?: unknown) {
    const pass = super.query.bind(this) as (...args: unknown[]) => unknown;
    this.#gather();
    if (asked === "begin" && done === undefined) return this.#begin(pass);
    if (this.#ended) return this.#over(asked);
    if (asked === ENDING) return (this.#ended = pass("commit") as Promise<unknown>);
    const answer =
      typeof asked !== "string" || !Array.isArray(values) || values.length === 0
        ? pass(asked, values, done)
        : done === undefined
          ? named(pass, asked, values)
          : pass({ name: nameOf(asked), text: asked, values }, undefined, done);
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
  #begin(pass: (...args: unknown[]) => unknown): Promise<typeof BEGUN> {
    this.#held = true;
    this.#line.stream.cork();
    void (pass("begin") as Promise<unknown>).catch(() => {});
    return Promise.resolve(BEGUN);
  }

  /** Rejects queries after an early commit: they would be stored on their own, outside the transaction. */
  #over(asked: Asked): Promise<unknown> {
    const ended = this.#ended!;
    if (asked !== "commit" && asked !== "rollback")
      throw new Error("This transaction ended with the statement before: nothing can follow it.");
    this.#ended = null;
    return ended;
  }

  get #line() {
    return (this as unknown as { connection: Line }).connection;
  }
}

/** Prefix of statements that look rows up by key alone: one plan is as good as another. */
const BY_KEYS = "/* by keys */";

/**
 * Client for queries that all differ. Each is planned for its own values, except those by key alone: they
 * join so many tables that planning takes longer than running (measured: 4.4 of 5.9 ms).
 */
export class AskingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    boundAnswers(this);
  }

  // @ts-expect-error -- pg declares eight overloads of one method; all but this one pass through untouched
  override query(asked: Asked, values?: unknown[], done?: unknown) {
    const pass = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof asked !== "string" || !Array.isArray(values) || !asked.startsWith(BY_KEYS)) return pass(asked, values, done);
    return pass({ name: nameOf(asked), text: asked, values }, undefined, done);
  }
}
