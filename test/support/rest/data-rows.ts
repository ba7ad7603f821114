import { addRelation, createTable, changeDataConfig, type DataTables } from "#baas/data";
import { type Db, many, sql } from "#platform/database";

export type Row = Record<string, unknown>;

const PERSON_COLUMNS = [
  { name: "name", dataType: "STRING" },
  { name: "age", dataType: "INT" },
  { name: "born", dataType: "DATETIME" },
  { name: "profile", dataType: "JSON" },
  { name: "home", dataType: "POINT" },
  { name: "active", dataType: "BOOLEAN", defaultValue: true },
  { name: "code", dataType: "STRING", unique: true },
];

/** Creates tables of people with orders and one friend each, open to everyone. */
export async function createTestTables(tables: DataTables) {
  await changeDataConfig(tables, { dynamicSchema: false, defaultAccess: "open" });
  await createTable(tables, { name: "Person", columns: PERSON_COLUMNS });
  await createTable(tables, {
    name: "Order",
    columns: [{ name: "title", dataType: "STRING", required: true }],
  });
  await addRelation(tables, "Person", { name: "orders", toTable: "Order", relationshipType: "ONE_TO_MANY" });
  await addRelation(tables, "Person", { name: "friend", toTable: "Person", relationshipType: "ONE_TO_ONE" });
}

/** Returns all rows of a table, sorted by id. */
export async function readRows({ db, catalogue }: DataTables, name: string): Promise<Row[]> {
  const table = await catalogue.table(name);
  const rows = await many(db, sql<Row>`select * from ${sql.id("data", table.sqlName)} order by object_id`);
  return rows.map((row) =>
    Object.fromEntries([...table.columns.values()].map((column) => [column.name, row[column.sqlName]])),
  );
}

/** Returns the children of a relation in the order in which they were added. */
export async function readLinks(
  { db, catalogue }: DataTables,
  name: string,
  relation: string,
): Promise<string[]> {
  const { via } = (await catalogue.table(name)).relations.get(relation)!;
  if (!("links" in via)) return [];
  const rows = await many(
    db,
    sql<{ child: string }>`select child from ${sql.id("data", via.links.name)} order by position`,
  );
  return rows.map(({ child }) => child);
}

/** Returns the record events in the outbox. */
export const listRecordEvents = async (db: Db): Promise<Row[]> =>
  (
    await many(
      db,
      sql<{ payload: Row }>`select payload from outbox where type ~ '^(record|relation)' order by id`,
    )
  ).map(({ payload }) => payload);
