import { redirect } from "react-router";
import { access, findRecords, onTable, TableFault, type Caller, type TableOut, type Tables } from "#backend/tables";
import { ownRoles, SYSTEM_ROLES } from "#community/people";
import { asked, verbIn } from "../forms.ts";
import { ButtonLink, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, said } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/table";
import { TOKENS } from "../tokens.ts";
import { assertAdmin, noted } from "./only-admins.ts";
import { TableAccess } from "./table-access.tsx";
import { TableColumns } from "./table-columns.tsx";
import { TableRecords } from "./table-records.tsx";
import { TABLE_VERBS } from "./table-verbs.ts";
import { houseOf, ownTable } from "./the-house.ts";

export const handle = { asides: "none" };

const PAGE = TOKENS.tablePageSize;
const LONGEST_CLAUSE = 2_000;

export const loader = reading(async ({ visit, db, house, viewer, params, url }) => {
  assertAdmin(viewer);
  const { table, all } = await ownTable(house.tables, params["table"]);
  const where = asked(url, "where", LONGEST_CLAUSE);
  const offset = Math.min(Math.max(Number(asked(url, "from", 6)) || 0, 0), 100_000);
  const { records, fault } = await found(house.tables, houseOf(viewer), table, {
    where,
    pageSize: PAGE + 1,
    offset,
    sortBy: "created desc",
  });
  return {
    table,
    others: all.map(({ name }) => name),
    roles: ["Owner", ...SYSTEM_ROLES, ...(await ownRoles(db, viewer)).map(({ name }) => name)],
    grid: await access(house.tables, table.name),
    // As text: API data can have any shape.
    records: records
      .slice(0, PAGE)
      .map((record) => ({ id: String(record["objectId"]), cells: table.columns.map(({ name }) => shown(record[name])) })),
    where,
    fault: fault && said(visit, fault),
    before: offset > 0 ? Math.max(offset - PAGE, 0) : null,
    after: records.length > PAGE ? offset + PAGE : null,
  };
});

/** Records matching a clause, or the error if it is invalid or takes too long. */
async function found(tables: Tables, caller: Caller, { name }: TableOut, query: object) {
  try {
    return { records: await onTable(tables, name, (table) => findRecords(tables, caller, table, query)), fault: null };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { records: [], fault: error.message };
  }
}

export type TableData = Awaited<ReturnType<typeof loader>>;

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

export const action = acting(async ({ house, viewer, form, params }) => {
  assertAdmin(viewer);
  const table = params["table"] ?? "";
  const intent = String(form.get("intent"));
  const verb = verbIn(TABLE_VERBS, form);
  await verb(house.tables, table, form);
  await noted(house, viewer, `table.${intent}`, table.slice(0, 64));
  return redirect(intent === "drop-table" ? urls.tables() : urls.table(table));
});

export const meta = pageMeta<TableData>((data, t) => ({ title: data?.table.name ?? t("Tables of programs"), hidden: true }));

export default function TablePage({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={<span dir="ltr">{data.table.name}</span>}
        lead={t("A table of programs: what stands in it, how it is made, and who may do what.")}
        actions={<ButtonLink to={urls.tables()}>{t("All tables")}</ButtonLink>}
      />
      <RefusalNotice />
      <TableRecords data={data} />
      <TableColumns data={data} />
      <TableAccess data={data} />
    </>
  );
}
