import pg from "pg";
import { vi } from "vitest";

/** Returns the first query that `ask` sends to the database. */
export async function captureQuery(ask: () => Promise<unknown>): Promise<pg.QueryConfig> {
  const querySpy = vi.spyOn(pg.Client.prototype, "query");
  await ask();
  const [[question]] = querySpy.mock.calls as unknown as [[pg.QueryConfig]];
  querySpy.mockRestore();
  return question;
}

/** Reads the plan of the first query that a function sends. */
export function createPlanReader(pool: pg.Pool) {
  /** Returns the plan of the first query of `ask`. */
  async function planOf(ask: () => Promise<unknown>): Promise<string> {
    const question = await captureQuery(ask);
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${question.text}`, question.values);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  /**
   * Returns the number of rows that the query reads from a table with its generic plan, which PostgreSQL
   * uses after a few runs.
   */
  async function readOf(table: string, ask: () => Promise<unknown>): Promise<number> {
    const { text, values = [] } = await captureQuery(ask);
    const client = await pool.connect();
    try {
      await client.query("set plan_cache_mode = force_generic_plan");
      await client.query(`prepare it as ${text}`);
      const parameters = values.length > 0 ? `(${values.map(literal).join(", ")})` : "";
      const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Node }] }>(
        `explain (analyze, format json) execute it${parameters}`,
      );
      return readIn(rows[0]!["QUERY PLAN"][0].Plan, table);
    } finally {
      client.release(true);
    }
  }
  return { planOf, readOf };
}

const literal = (value: unknown) =>
  value === null ? "null" : pg.escapeLiteral(value instanceof Date ? value.toISOString() : textOf(value));
/** Formats an array as PostgreSQL writes it, and other values unchanged. */
const textOf = (value: unknown) =>
  Array.isArray(value) ? `{${value.map((it) => JSON.stringify(String(it))).join(",")}}` : String(value);

type Node = {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Actual Loops": number;
  Plans?: Node[];
};

const readIn = (node: Node, table: string): number =>
  (node["Relation Name"] === table
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0) + (node.Plans ?? []).reduce((sum, it) => sum + readIn(it, table), 0);
