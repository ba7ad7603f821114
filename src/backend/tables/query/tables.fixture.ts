import type { KyselyPlugin } from "kysely";
import { type Database, type Db, run, sql } from "#platform/database";
import type { Caller, Catalogue, Column, ColumnType, Relation, Table } from "../catalogue/types.ts";

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

export const column = (name: string, type: ColumnType, more: Partial<Column> = {}): Column => ({
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

const SYSTEM = [
  column("objectId", "STRING_ID", { sqlName: "object_id" }),
  column("ownerId", "STRING", { sqlName: "owner_id" }),
  column("created", "DATETIME", { sqlName: "created" }),
  column("updated", "DATETIME", { sqlName: "updated" }),
];

type Plan = { columns: Column[]; relations?: [name: string, to: string, kind: Relation["kind"], autoLoad?: boolean][] };

const PLANS: Record<string, Plan> = {
  Person: {
    columns: [
      column("name", "STRING"),
      column("age", "INT"),
      column("price", "DOUBLE"),
      column("quantity", "INT"),
      column("open", "BOOLEAN"),
      column("birthDate", "DATETIME"),
      column("profile", "JSON"),
      column("point", "POINT"),
      column("secret", "STRING", { hidden: ({ server }) => !server }),
      column("total", "DOUBLE", { expression: "price * quantity" }),
      column("mail", "STRING", {
        seen: (caller, alias) => sql`case when ${sql.id(alias, "owner_id")} = ${caller.userId} then ${sql.id(alias, "c_mail")} end`,
      }),
    ],
    relations: [
      ["address", "Address", "ONE_TO_MANY"],
      ["home", "Address", "ONE_TO_ONE", true],
      ["diary", "Diary", "ONE_TO_MANY"],
    ],
  },
  Address: {
    columns: [column("city", "STRING"), column("json", "JSON"), column("photo", "FILE_REF")],
    relations: [["country", "Country", "ONE_TO_ONE"]],
  },
  Country: { columns: [column("name", "STRING")] },
  PhoneBook: { columns: [column("title", "STRING")], relations: [["contacts", "Person", "ONE_TO_MANY"]] },
  /** Each caller finds only their own rows. */
  Diary: { columns: [column("text", "STRING")] },
  /** Readable for the server only. */
  Vault: { columns: [column("gold", "INT")], relations: [["keepers", "Person", "ONE_TO_MANY"]] },
};

const tableOf = (name: string, { columns, relations = [] }: Plan): Table => ({
  id: name,
  name,
  schema: "data",
  sqlName: `t_${name.toLowerCase()}`,
  columns: new Map([...SYSTEM, ...columns].map((it) => [it.name, it])),
  relations: new Map(
    relations.map(([relation, toTable, kind, autoLoad = false]) => {
      const links = { schema: "data", name: `r_${name.toLowerCase()}_${relation.toLowerCase()}` };
      return [
        relation,
        { name: relation, toTable, kind, autoLoad, via: { links, parent: "parent", child: "child", position: "position" } },
      ];
    }),
  ),
  open: true,
  access: new Map(),
  hasGrants: false,
});

/**
 * Sample tables: people, their addresses and phone books; a diary with own-rows access, and a vault without
 * access.
 */
export const TABLES = new Map(Object.entries(PLANS).map(([name, plan]) => [name, tableOf(name, plan)]));
const CLOSED = { find: false, create: false, update: false, remove: false };
TABLES.get("Diary")!.access.set("JSUser", CLOSED);
TABLES.get("Vault")!.access.set("JSUser", CLOSED).set("Owner", CLOSED);

export const catalogue: Catalogue = {
  known: (name) => TABLES.get(name),
  all: async () => [...TABLES.values()],
  config: async () => ({ dynamicSchema: false, defaultAccess: "open", hosted: false }),
  forget: () => {},
  async table(name) {
    const table = TABLES.get(name);
    if (!table) throw new Error(`no table ${name}`);
    return table;
  },
};

export const SERVER: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };
export const person = (userId: string): Caller => ({ userId, roles: ["JSUser", "AuthenticatedUser"], server: false });
export const callerNamed = (userId: string | null): Caller => ({ userId, roles: ["JSUser"], server: false });

/** Creates the tables, replacing those of an earlier test. */
export async function makeTables({ db }: Database): Promise<void> {
  await run(db, sql`create schema if not exists data`);
  for (const { sqlName, columns, relations } of TABLES.values()) {
    const list = [...columns.values()]
      .filter(({ expression }) => expression === null)
      .map(
        ({ sqlName: name, type }) => sql`${sql.id(name)} ${sql.raw(SQL_TYPES[type])}${sql.raw(name === "object_id" ? " primary key" : "")}`,
      );
    await run(db, sql`drop table if exists ${sql.id("data", sqlName)}`);
    await run(db, sql`create table ${sql.id("data", sqlName)} (${sql.join(list)})`);
    for (const { via } of relations.values()) {
      if (!("links" in via)) continue;
      const links = sql.id(via.links.schema, via.links.name);
      await run(db, sql`drop table if exists ${links}`);
      await run(db, sql`create table ${links} (parent text, child text, position bigserial, primary key (parent, child))`);
    }
  }
}

/** Inserts rows in API format; a key that is a relation takes ids of children. */
export async function fill({ db }: Database, name: string, records: Record<string, unknown>[]): Promise<void> {
  const { sqlName, columns, relations } = TABLES.get(name)!;
  for (const [at, { ...record }] of records.entries()) {
    const created = new Date(Date.UTC(2026, 0, 1) + at * 1_000);
    const row: Record<string, unknown> = { ownerId: null, created, ...record };
    const kept = [...columns.values()].filter((it) => it.expression === null && Object.hasOwn(row, it.name));
    const values = kept.map(
      ({ name: key, type }) => sql`${SQL_TYPES[type] === "jsonb" && row[key] !== null ? JSON.stringify(row[key]) : row[key]}`,
    );
    await run(
      db,
      sql`insert into ${sql.id("data", sqlName)} (${sql.join(kept.map((it) => sql.id(it.sqlName)))}) values (${sql.join(values)})`,
    );
    for (const { name: relation, via } of relations.values())
      if ("links" in via)
        for (const child of (row[relation] as string[] | undefined) ?? [])
          await run(db, sql`insert into ${sql.id(via.links.schema, via.links.name)} (parent, child) values (${row["objectId"]}, ${child})`);
  }
}

/** The database with a counter of its statements. */
export function counted(db: Db): { db: Db; asked: { times: number } } {
  const asked = { times: 0 };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.times++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), asked };
}
