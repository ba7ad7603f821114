import {
  SERVER_CALLER,
  type ColumnInfo,
  relateObjects,
  removeObject,
  saveObject,
  saveAfterCheck,
  TableFault,
  type TableInfo,
  type DataTables,
  type ApiRecord,
} from "#baas/data";
import { toDescriptor } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { cleanText } from "../../form-parsing.ts";
import { isColumnEditable, cellKind, cellHash, parseCell } from "./cell-values.ts";
import { cellFieldNames } from "./cell-field-names.ts";

const CHANGED_MEANWHILE = { text: "Someone else changed this. Save again to overwrite." };
const RECORD_NOT_FOUND = { text: "The record does not exist or is already related." };

type RecordInput = { tables: DataTables; table: TableInfo; id: string; form: FormData };

const readCell = (form: FormData, name: string) => cleanText(String(form.get(name) ?? ""));

/** The hash of the cell's previous value; cells of a new record have none. */
const readPreviousHash = (form: FormData, name: string) => (form.has(name) ? readCell(form, name) : "none");

type ChangedCell = { column: ColumnInfo; field: string; value: unknown; was: string };

/** Reads the cells that were changed on the page; only these are written. */
function readChangedCells(table: TableInfo, form: FormData): ChangedCell[] {
  const byName = new Map(table.columns.filter(isColumnEditable).map((column) => [column.name, column]));
  const typed: ChangedCell[] = [];
  for (let place = 0; form.has(cellFieldNames(place).of); place++) {
    const { of, cell, none, was } = cellFieldNames(place);
    const column = byName.get(readCell(form, of));
    if (!column || !form.has(cell)) continue;
    const value = parseCell(column, readCell(form, cell), form.has(none), cell);
    const kind = cellKind(column);
    if (cellHash(kind, value) !== readPreviousHash(form, was))
      typed.push({ column, field: cell, value, was: readPreviousHash(form, was) });
  }
  return typed;
}

const toRecord = (typed: ChangedCell[]): ApiRecord =>
  Object.fromEntries(typed.map(({ column, value }) => [column.name, value]));

/** Shows the error of a column beside its field. */
async function withCellErrors<T>(typed: ChangedCell[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    const about = Object.values(toDescriptor(error.descriptor).values ?? {}).flat();
    const named = typed.filter(({ column }) => about.includes(column.name));
    throw new Refusal("invalid", named.length > 0 ? "Check the marked fields." : error.descriptor, {
      fields: Object.fromEntries(named.map(({ field }) => [field, error.descriptor])),
    });
  }
}

/** Adds a record and returns its id. */
export async function addRecord({ tables, table, form }: Omit<RecordInput, "id">): Promise<string> {
  const typed = readChangedCells(table, form);
  const record = await withCellErrors(typed, () =>
    saveObject(tables, SERVER_CALLER, table.name, toRecord(typed)),
  );
  return String(record["objectId"]);
}

/**
 * Saves the changed cells. If another person has changed one of them meanwhile, reports the conflict beside
 * its field.
 */
async function changeRecord({ tables, table, id, form }: RecordInput): Promise<void> {
  const typed = readChangedCells(table, form);
  if (typed.length === 0) return;
  await withCellErrors(typed, () =>
    saveAfterCheck(tables, SERVER_CALLER, table.name, { ...toRecord(typed), objectId: id }, (now) => {
      const others = typed.filter(({ column, was }) => cellHash(cellKind(column), now[column.name]) !== was);
      if (others.length === 0) return;
      throw new Refusal("conflict", "Someone else changed this record.", {
        fields: Object.fromEntries(others.map(({ field }) => [field, CHANGED_MEANWHILE.text])),
      });
    }),
  );
}

const changeRelation = ({ tables, table, id, form }: RecordInput, how: "add" | "delete") =>
  relateObjects(tables, SERVER_CALLER, how, {
    table: table.name,
    parentId: id,
    relation: readCell(form, "relation"),
    children: { ids: [readCell(form, "child").trim()] },
  });

/** Commands on a record, by the form's `intent`. */
export const RECORD_COMMANDS: Record<string, (at: RecordInput) => Promise<unknown>> = {
  change: changeRecord,
  remove: ({ tables, table, id }) => removeObject(tables, SERVER_CALLER, table.name, id),
  async link(at) {
    if ((await changeRelation(at, "add")) === 0)
      throw new Refusal("invalid", "Nothing was added: the record does not exist or is already related.", {
        fields: { child: RECORD_NOT_FOUND.text },
      });
  },
  unlink: (at) => changeRelation(at, "delete"),
};
