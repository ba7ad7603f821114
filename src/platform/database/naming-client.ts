import pg from "pg";
import { boundAnswers } from "./answer-bound.ts";

/** More statements than this would mean that texts are glued somewhere; those beyond go unnamed. */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

/** So begin statements whose text follows from what callers ask: they could use up all the names. */
const BY_CALLERS = "/* asked */";
const MOST_BY_CALLERS = 300;
const LONGEST_BY_CALLERS = 4_000;
/** Texts of callers that have come once. */
const seenOnce = new Set<string>();
let namedByCallers = 0;

/** So begin statements whose way depends on how a table has grown meanwhile: they are planned each time. */
const ANEW = "/* anew */";

/** A statement by callers is named when it comes a second time, and while there are names left for such. */
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

/** pg copies what it is handed, property by property, but for a query that is made already: most of what asking took of us. */
const named = (pass: (query: pg.Query) => void, text: string, values: unknown[]) =>
  new Promise<pg.QueryResult>((answered, failed) => {
    const query = new pg.Query(text, values, (error, result) => (error ? failed(error) : answered(result)));
    pass(Object.assign(query, { name: nameOf(text) }));
  });

/** So a transaction ends together with its last statement (`lastly`). Whoever began it ends it once more, and is told how that went. */
export const ENDING = "commit -- with the last";

const BEGUN = { command: "BEGIN", rowCount: null, rows: [] };
/** Where a client writes. */
type Line = { stream: { cork: () => void; uncork: () => void } };

/**
 * A client that names each statement with parameters, so that PostgreSQL parses and plans it once per connection
 * (measured: 1.6 to 1.9 times the page queries per second). Lists go in as `= any($1)`, never as many parameters.
 * What is asked in one go travels as one, and a transaction begins together with its first statement, which takes a `pipeline`.
 */
export class NamingClient extends pg.Client {
  /** A beginning that waits for what comes after it. */
  #held = false;
  #gathering = false;
  /** How a transaction ended that was ended together with its last statement, until whoever began it ends it. */
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

  /** It fails only with the whole line, and what is asked after it fails with that as well. */
  #begin(pass: (...args: unknown[]) => unknown): Promise<typeof BEGUN> {
    this.#held = true;
    this.#line.stream.cork();
    void (pass("begin") as Promise<unknown>).catch(() => {});
    return Promise.resolve(BEGUN);
  }

  /** What was stored cannot be added to: that would be stored by itself, whatever becomes of it. */
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

/** So begin statements that ask for rows by their keys, whatever else they ask: one plan of them is as good as another. */
const BY_KEYS = "/* by keys */";

/**
 * A client for questions that are all different. Each is planned for what it asks, but for those by keys alone, which join so many
 * tables that planning one takes longer than answering it (measured: 4.4 of 5.9 ms).
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
