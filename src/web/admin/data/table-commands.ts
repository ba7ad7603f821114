import {
  getTableAccess,
  addColumn,
  addRelation,
  dropColumn,
  dropTable,
  setTableAccess,
  type DataTables,
} from "#baas/data";
import { Refusal } from "#platform/refusal";
import { cleanText } from "../../form-parsing.ts";

const readLine = (form: FormData, name: string) =>
  cleanText(String(form.get(name) ?? ""))
    .trim()
    .slice(0, 400);
const isChecked = (form: FormData, name: string) => form.get(name) !== null;
export const TABLE_ACTIONS = ["find", "create", "update", "remove"] as const;

/** Commands on a data table, by the form's `intent`. */
export const TABLE_COMMANDS: Record<
  string,
  (tables: DataTables, table: string, form: FormData) => Promise<unknown>
> = {
  column: (tables, table, form) =>
    addColumn(tables, table, {
      name: readLine(form, "name"),
      dataType: readLine(form, "dataType"),
      required: isChecked(form, "required"),
      unique: isChecked(form, "unique"),
      indexed: isChecked(form, "indexed"),
    }),
  relation: (tables, table, form) =>
    addRelation(tables, table, {
      name: readLine(form, "name"),
      toTable: readLine(form, "toTable"),
      relationshipType: readLine(form, "kind"),
    }),
  "drop-column": (tables, table, form) => dropColumn(tables, table, readLine(form, "column")),
  access: async (tables, table, form) => {
    const grid = await getTableAccess(tables, table);
    const allowed = Object.fromEntries(TABLE_ACTIONS.map((act) => [act, isChecked(form, act)]));
    return setTableAccess(tables, table, { ...grid, [readLine(form, "role")]: allowed });
  },
  "drop-access": async (tables, table, form) => {
    const { [readLine(form, "role")]: _gone, ...grid } = await getTableAccess(tables, table);
    return setTableAccess(tables, table, grid);
  },
  "drop-table": (tables, table, form) => {
    if (readLine(form, "confirm") !== table)
      throw new Refusal("invalid", "Type the name of the table to delete it.", {
        fields: { confirm: "The name does not match." },
      });
    return dropTable(tables, table);
  },
};
