import { type Database, type Db, run, sql } from "#platform/database";
import type {
  Caller,
  Catalogue,
  Column,
  ColumnType,
  Relation,
  Table,
} from "../../../src/baas/data/catalogue/types.ts";

const SQL_TYPES: Record<ColumnType, string> = {
  STRING: "text",
  TEXT: "text",
  FILE_REF: "text",
  STRING_ID: "text",
  INT: "integer",
  DOUBLE: "double precision",
  BOOLEAN: "boolean",
  DATETIME: "timestamptz(3)",
  JSON: "jsonb",
  POINT: "jsonb",
  LINESTRING: "jsonb",
  POLYGON: "jsonb",
  GEOMETRY: "jsonb",
};

export const createColumn = (name: string, type: ColumnType, more: Partial<Column> = {}): Column => ({
  name,
  sqlName: `c_${name.toLowerCase()}`,
  type,
  size: null,
  required: false,
  unique: false,
  indexed: false,
  defaultValue: null,
  expression: null,
  customRegex: null,
  ...more,
});

const SYSTEM_COLUMNS = [
  createColumn("objectId", "STRING_ID", { sqlName: "object_id" }),
  createColumn("ownerId", "STRING", { sqlName: "owner_id" }),
  createColumn("created", "DATETIME", { sqlName: "created" }),
  createColumn("updated", "DATETIME", { sqlName: "updated" }),
];

type TablePlan = {
  columns: Column[];
  relations?: [name: string, to: string, kind: Relation["kind"], autoLoad?: boolean][];
};

const TABLE_PLANS: Record<string, TablePlan> = {
  Person: {
    columns: [
      createColumn("name", "STRING"),
      createColumn("age", "INT"),
      createColumn("price", "DOUBLE"),
      createColumn("quantity", "INT"),
      createColumn("open", "BOOLEAN"),
      createColumn("birthDate", "DATETIME"),
      createColumn("profile", "JSON"),
      createColumn("point", "POINT"),
      createColumn("secret", "STRING", { hidden: ({ server }) => !server }),
      createColumn("total", "DOUBLE", { expression: "price * quantity" }),
      createColumn("mail", "STRING", {
        seen: (caller, alias) =>
          sql`case when ${sql.id(alias, "owner_id")} = ${caller.userId} then ${sql.id(alias, "c_mail")} end`,
      }),
    ],
    relations: [
      ["address", "Address", "ONE_TO_MANY"],
      ["home", "Address", "ONE_TO_ONE", true],
      ["diary", "Diary", "ONE_TO_MANY"],
    ],
  },
  Address: {
    columns: [
      createColumn("city", "STRING"),
      createColumn("json", "JSON"),
      createColumn("photo", "FILE_REF"),
    ],
    relations: [["country", "Country", "ONE_TO_ONE"]],
  },
  Country: { columns: [createColumn("name", "STRING")] },
  PhoneBook: {
    columns: [createColumn("title", "STRING")],
    relations: [["contacts", "Person", "ONE_TO_MANY"]],
  },
  /** Each caller finds only their own rows in this table. */
  Diary: { columns: [createColumn("text", "STRING")] },
  /** Only the server may read this table. */
  Vault: { columns: [createColumn("gold", "INT")], relations: [["keepers", "Person", "ONE_TO_MANY"]] },
};

const createTable = (name: string, { columns, relations = [] }: TablePlan): Table => ({
  id: name,
  name,
  schema: "data",
  sqlName: `t_${name.toLowerCase()}`,
  columns: new Map([...SYSTEM_COLUMNS, ...columns].map((it) => [it.name, it])),
  relations: new Map(
    relations.map(([relation, toTable, kind, autoLoad = false]) => {
      const links = { schema: "data", name: `r_${name.toLowerCase()}_${relation.toLowerCase()}` };
      return [
        relation,
        {
          name: relation,
          toTable,
          kind,
          autoLoad,
          via: { links, parent: "parent", child: "child", position: "position" },
        },
      ];
    }),
  ),
  open: true,
  access: new Map(),
  hasGrants: false,
});

/**
 * Sample tables: people, their addresses and phone books; a diary of which each caller reads their own rows,
 * and a vault that callers cannot read.
 */
export const SAMPLE_TABLES = new Map(
  Object.entries(TABLE_PLANS).map(([name, plan]) => [name, createTable(name, plan)]),
);
const NO_ACCESS = { find: false, create: false, update: false, remove: false };
SAMPLE_TABLES.get("Diary")!.access.set("JSUser", NO_ACCESS);
SAMPLE_TABLES.get("Vault")!.access.set("JSUser", NO_ACCESS).set("Owner", NO_ACCESS);

export const catalogue: Catalogue = {
  known: (name) => SAMPLE_TABLES.get(name),
  all: async () => [...SAMPLE_TABLES.values()],
  config: async () => ({ dynamicSchema: false, defaultAccess: "open", hosted: false }),
  forget: () => {},
  async table(name) {
    const table = SAMPLE_TABLES.get(name);
    if (!table) throw new Error(`no table ${name}`);
    return table;
  },
};

export const SERVER: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };
export const createMember = (userId: string): Caller => ({
  userId,
  roles: ["JSUser", "AuthenticatedUser"],
  server: false,
});
export const createCaller = (userId: string | null): Caller => ({ userId, roles: ["JSUser"], server: false });

/** Creates the tables, replacing those of an earlier test. */
export async function createSampleTables({ db }: Database): Promise<void> {
  await run(db, sql`create schema if not exists data`);
  for (const { sqlName, columns, relations } of SAMPLE_TABLES.values()) {
    const list = [...columns.values()]
      .filter(({ expression }) => expression === null)
      .map(
        ({ sqlName: name, type }) =>
          sql`${sql.id(name)}
            ${sql.raw(SQL_TYPES[type])}${sql.raw(name === "object_id" ? " primary key" : "")}`,
      );
    await run(db, sql`drop table if exists ${sql.id("data", sqlName)}`);
    await run(db, sql`create table ${sql.id("data", sqlName)} (${sql.join(list)})`);
    for (const { via } of relations.values()) {
      if (!("links" in via)) continue;
      const links = sql.id(via.links.schema, via.links.name);
      await run(db, sql`drop table if exists ${links}`);
      await run(
        db,
        sql`create table ${links} (parent text, child text, position bigserial, primary key (parent, child))`,
      );
    }
  }
}

/** Inserts rows in API format; for a relation, the value holds the ids of the children. */
export async function insertRecords(
  { db }: Database,
  name: string,
  records: Record<string, unknown>[],
): Promise<void> {
  const { sqlName, columns, relations } = SAMPLE_TABLES.get(name)!;
  for (const [at, { ...record }] of records.entries()) {
    const created = new Date(Date.UTC(2026, 0, 1) + at * 1_000);
    const row: Record<string, unknown> = { ownerId: null, created, ...record };
    const stored = [...columns.values()].filter(
      (it) => it.expression === null && Object.hasOwn(row, it.name),
    );
    const values = stored.map(
      ({ name: key, type }) =>
        sql`${SQL_TYPES[type] === "jsonb" && row[key] !== null ? JSON.stringify(row[key]) : row[key]}`,
    );
    await run(
      db,
      sql`insert into ${sql.id("data", sqlName)} (${sql.join(stored.map((it) => sql.id(it.sqlName)))})
        values (${sql.join(values)})`,
    );
    for (const { name: relation, via } of relations.values())
      if ("links" in via)
        for (const child of (row[relation] as string[] | undefined) ?? [])
          await run(
            db,
            sql`insert into ${sql.id(via.links.schema, via.links.name)} (parent, child)
              values (${row["objectId"]}, ${child})`,
          );
  }
}

/** Wraps the database with a counter of its statements. */
export function countStatements(db: Db): { db: Db; queries: { times: number } } {
  const queries = { times: 0 };
  const query: Db["query"] = (text, values) => {
    queries.times++;
    return db.query(text, values);
  };
  return { db: { query }, queries };
}
