import { access, addColumn, addRelation, dropColumn, dropTable, setAccess, type Tables } from "#backend/tables";
import { Refusal } from "#platform/refusal";
import { clean } from "../forms.ts";

const line = (form: FormData, name: string) =>
  clean(String(form.get(name) ?? ""))
    .trim()
    .slice(0, 400);
const on = (form: FormData, name: string) => form.get(name) !== null;
export const ACTS = ["find", "create", "update", "remove"] as const;

/** Commands on a data table, by the form's `intent`. */
export const TABLE_VERBS: Record<string, (tables: Tables, table: string, form: FormData) => Promise<unknown>> = {
  column: (tables, table, form) =>
    addColumn(tables, table, {
      name: line(form, "name"),
      dataType: line(form, "dataType"),
      required: on(form, "required"),
      unique: on(form, "unique"),
      indexed: on(form, "indexed"),
    }),
  relation: (tables, table, form) =>
    addRelation(tables, table, { name: line(form, "name"), toTable: line(form, "toTable"), relationshipType: line(form, "kind") }),
  "drop-column": (tables, table, form) => dropColumn(tables, table, line(form, "column")),
  access: async (tables, table, form) => {
    const grid = await access(tables, table);
    const allowed = Object.fromEntries(ACTS.map((act) => [act, on(form, act)]));
    return setAccess(tables, table, { ...grid, [line(form, "role")]: allowed });
  },
  "drop-access": async (tables, table, form) => {
    const { [line(form, "role")]: _gone, ...grid } = await access(tables, table);
    return setAccess(tables, table, grid);
  },
  "drop-table": (tables, table, form) => {
    if (line(form, "confirm") !== table)
      throw new Refusal("invalid", "Write the name of the table to take it away.", { fields: { confirm: "That is not its name." } });
    return dropTable(tables, table);
  },
};
