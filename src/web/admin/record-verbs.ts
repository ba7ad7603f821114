import { type ColumnOut, relate, remove, save, saveAfter, TableFault, type TableOut, type Tables, type WireRecord } from "#backend/tables";
import { Refusal } from "#platform/refusal";
import { clean } from "../forms.ts";
import { isEditable, kindOf, markOf, valueOf } from "./cells.ts";
import { fieldsOf } from "./cell-fields.ts";
import { HOUSE } from "./the-house.ts";

const MEANWHILE = { say: "Somebody has changed this meanwhile. Save again if yours is to stay." };
const NOWHERE = { say: "There is no such record, or it is there already." };

type At = { tables: Tables; table: TableOut; id: string; form: FormData };

const said = (form: FormData, name: string) => clean(String(form.get(name) ?? ""));

/** Cells of a new record had no earlier value. */
const before = (form: FormData, name: string) => (form.has(name) ? said(form, name) : "none");

type Typed = { column: ColumnOut; field: string; value: unknown; was: string };

/** Cells changed on the page; only these are written. */
function typedIn(table: TableOut, form: FormData): Typed[] {
  const byName = new Map(table.columns.filter(isEditable).map((column) => [column.name, column]));
  const typed: Typed[] = [];
  for (let place = 0; form.has(fieldsOf(place).of); place++) {
    const { of, cell, none, was } = fieldsOf(place);
    const column = byName.get(said(form, of));
    if (!column || !form.has(cell)) continue;
    const value = valueOf(column, said(form, cell), form.has(none), cell);
    const kind = kindOf(column);
    if (markOf(kind, value) !== before(form, was)) typed.push({ column, field: cell, value, was: before(form, was) });
  }
  return typed;
}

const recordOf = (typed: Typed[]): WireRecord => Object.fromEntries(typed.map(({ column, value }) => [column.name, value]));

/** Shows the error of a column beside its field. */
async function besideFields<T>(typed: Typed[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    const named = typed.filter(({ column }) => new RegExp(`\\b${column.name}\\b`).test(error.message));
    throw new Refusal("invalid", named.length > 0 ? "Please look at the marked fields." : error.message, {
      fields: Object.fromEntries(named.map(({ field }) => [field, error.message])),
    });
  }
}

/** Adds a record and returns its id. */
export async function addRecord({ tables, table, form }: Omit<At, "id">): Promise<string> {
  const typed = typedIn(table, form);
  const record = await besideFields(typed, () => save(tables, HOUSE, table.name, recordOf(typed)));
  return String(record["objectId"]);
}

/**
 * Saves the changed cells, unless another person has changed one of them meanwhile, which is reported beside
 * it.
 */
async function changeRecord({ tables, table, id, form }: At): Promise<void> {
  const typed = typedIn(table, form);
  if (typed.length === 0) return;
  await besideFields(typed, () =>
    saveAfter(tables, HOUSE, table.name, { ...recordOf(typed), objectId: id }, (now) => {
      const others = typed.filter(({ column, was }) => markOf(kindOf(column), now[column.name]) !== was);
      if (others.length === 0) return;
      throw new Refusal("conflict", "Somebody has changed this record meanwhile.", {
        fields: Object.fromEntries(others.map(({ field }) => [field, MEANWHILE.say])),
      });
    }),
  );
}

const related = ({ tables, table, id, form }: At, how: "add" | "delete") =>
  relate(tables, HOUSE, how, {
    table: table.name,
    parentId: id,
    relation: said(form, "relation"),
    children: { ids: [said(form, "child").trim()] },
  });

/** Commands on a record, by the form's `intent`. */
export const RECORD_VERBS: Record<string, (at: At) => Promise<unknown>> = {
  change: changeRecord,
  remove: ({ tables, table, id }) => remove(tables, HOUSE, table.name, id),
  async link(at) {
    if ((await related(at, "add")) === 0)
      throw new Refusal("invalid", "Nothing was added: there is no such record, or it is there already.", {
        fields: { child: NOWHERE.say },
      });
  },
  unlink: (at) => related(at, "delete"),
};
