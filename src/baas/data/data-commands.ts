import { createRelation } from "./catalogue/ensure-columns.ts";
import { describeColumns, type ColumnDescription } from "./catalogue/describe-table.ts";
import type { Caller } from "./catalogue/types.ts";
import { tableNotFound } from "./data-errors.ts";
import { assertAllowed } from "./permissions/row-permissions.ts";
import { addRelation, type ChildSelection, deleteRelation, setRelation } from "./relations/relations.ts";
import { parseRelationName } from "./relations/relation-name.ts";
import { writeInTransaction, withTable, type DataTables, reserveRows } from "./data-tables.ts";

const RELATION_CHANGES = { set: setRelation, add: addRelation, delete: deleteRelation };

/**
 * Sets, adds or removes children of an object; returns how many. If the relation names its target
 * (`kids:Kid:n`), is missing and the schema is dynamic, it is created.
 */
export async function relateObjects(
  tables: DataTables,
  caller: Caller,
  how: keyof typeof RELATION_CHANGES,
  {
    table: name,
    parentId,
    relation: text,
    children,
  }: { table: string; parentId: string; relation: string; children: ChildSelection },
): Promise<number> {
  const { name: relation, wanted } = parseRelationName(text);
  if (how !== "delete") await reserveRows(tables, name, 0);
  if (how !== "delete" && wanted) await createRelation(tables, caller, name, { ...wanted, name: relation });
  return withTable(tables, name, (table) =>
    writeInTransaction(tables, (writing) =>
      RELATION_CHANGES[how](writing, { table, caller, parentId, relation, children }),
    ),
  );
}

/**
 * The current columns and relations of a table.
 * @throws 1009 for an unknown table, 1011 without access
 */
export async function describeTable(
  tables: DataTables,
  caller: Caller,
  name: string,
): Promise<ColumnDescription[]> {
  await tables.catalogue.isBehind();
  return withTable(tables, name, async (table) => {
    assertAllowed(table, caller, "find");
    return describeColumns(table, caller);
  });
}

/**
 * Returns the name of the table with this id.
 * @throws 1009
 */
export async function getTableName({ catalogue }: DataTables, id: string): Promise<string> {
  const named = async () => (await catalogue.all()).find((it) => it.id === id);
  const table = (await named()) ?? ((await catalogue.isBehind()) ? await named() : undefined);
  if (!table) throw tableNotFound(id);
  return table.name;
}
