import { redirect } from "react-router";
import {
  getTableAccess,
  findRecords,
  withTable,
  TableFault,
  type Caller,
  type TableInfo,
  type DataTables,
} from "#baas/data";
import { listCustomRoles, SYSTEM_ROLES } from "#community/accounts";
import { readQueryParam, chooseAction } from "../../form-parsing.ts";
import { ButtonLink, PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { translateFor } from "../../translate-for.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/table-page";
import { DESIGN_TOKENS } from "../../tokens.ts";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";
import { TablePermissions } from "./table-permissions.tsx";
import { TableColumns } from "./table-columns.tsx";
import { TableRecords } from "./table-records.tsx";
import { TABLE_COMMANDS } from "./table-commands.ts";
import { serverCallerFor, getApiTable } from "./server-caller.ts";

const PAGE = DESIGN_TOKENS.tablePageSize;
const MAX_CLAUSE_LENGTH = 2_000;

export const loader = defineLoader(async ({ ctx, db, app, viewer, params, url }) => {
  assertAdmin(viewer);
  const { table, all } = await getApiTable(app.tables, params["table"]);
  const where = readQueryParam(url, "where", MAX_CLAUSE_LENGTH);
  const offset = Math.min(Math.max(Number(readQueryParam(url, "from", 6)) || 0, 0), 100_000);
  const { records, fault } = await queryRecords(app.tables, serverCallerFor(viewer), table, {
    where,
    pageSize: PAGE + 1,
    offset,
    sortBy: "created desc",
  });
  return {
    table,
    others: all.map(({ name }) => name),
    roles: ["Owner", ...SYSTEM_ROLES, ...(await listCustomRoles(db, viewer)).map(({ name }) => name)],
    grid: await getTableAccess(app.tables, table.name),
    // Records are sent as text, since API data can have any shape.
    records: records.slice(0, PAGE).map((record) => ({
      id: String(record["objectId"]),
      cells: table.columns.map(({ name }) => formatValue(record[name])),
    })),
    where,
    fault: fault && translateFor(ctx, fault),
    before: offset > 0 ? Math.max(offset - PAGE, 0) : null,
    after: records.length > PAGE ? offset + PAGE : null,
  };
});

/** Returns the records that match a clause, or the error of a clause that is invalid or takes too long. */
async function queryRecords(tables: DataTables, caller: Caller, { name }: TableInfo, query: object) {
  try {
    return {
      records: await withTable(tables, name, (table) => findRecords(tables, caller, table, query)),
      fault: null,
    };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { records: [], fault: error.descriptor };
  }
}

export type TableData = Awaited<ReturnType<typeof loader>>;

const formatValue = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

export const action = defineAction(async ({ app, viewer, form, params }) => {
  assertAdmin(viewer);
  const table = params["table"] ?? "";
  const intent = String(form.get("intent"));
  const verb = chooseAction(TABLE_COMMANDS, form);
  await verb(app.tables, table, form);
  await auditAdminAction(app, viewer, `table.${intent}`, table.slice(0, 64));
  return redirect(intent === "drop-table" ? urls.tables() : urls.table(table));
});

export const meta = pageMeta<TableData>((data, t) => ({
  title: data?.table.name ?? t("Data tables"),
  hidden: true,
}));

export default function TablePage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={<span dir="ltr">{data.table.name}</span>}
        lead={t("A data table: its records, columns and permissions.")}
        actions={<ButtonLink to={urls.tables()}>{t("All tables")}</ButtonLink>}
      />
      <RefusalNotice />
      <TableRecords data={data} />
      <TableColumns data={data} />
      <TablePermissions data={data} />
    </>
  );
}
