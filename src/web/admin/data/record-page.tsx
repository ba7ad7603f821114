import { redirect } from "react-router";
import { findOne, findRelated, withTable, type RelationInfo, type ApiRecord } from "#baas/data";
import { cleanText, chooseAction } from "../../form-parsing.ts";
import { ButtonLink, Notice, PageHeader, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/record-page";
import { isColumnEditable, isCellTooLong, cellKind, cellHash, formatCell } from "./cell-values.ts";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";
import { RecordForm } from "./record-form.tsx";
import { RecordRelations, RemoveRecord } from "./record-relations.tsx";
import { addRecord, RECORD_COMMANDS } from "./record-commands.ts";
import { serverCallerFor, getApiTable } from "./server-caller.ts";

/** Maximum number of related records shown for each relation. */
const MAX_RELATED = 20;
const MAX_ID_LENGTH = 250;

const readRecordId = (url: URL) => {
  const id = url.searchParams.get("id");
  return id === null ? null : cleanText(id).slice(0, MAX_ID_LENGTH);
};

export const loader = defineLoader(async ({ app, viewer, params, url }) => {
  assertAdmin(viewer);
  const { table, all } = await getApiTable(app.tables, params["table"]);
  const id = readRecordId(url);
  const record =
    id === null
      ? null
      : await withTable(app.tables, table.name, (it) => findOne(app.tables, serverCallerFor(viewer), it, id));
  const own = new Set(all.filter(({ published }) => !published).map(({ name }) => name));
  const relatedBy = async (relation: RelationInfo) => {
    const query = { pageSize: MAX_RELATED };
    const found = await withTable(app.tables, table.name, (it) =>
      findRelated(app.tables, serverCallerFor(viewer), it, id!, relation.name, query),
    );
    return { ...relation, isOwn: own.has(relation.toTable), records: found.map(recordTitle) };
  };
  return {
    table: table.name,
    id,
    saved: url.searchParams.has("saved"),
    cells: table.columns
      .filter(isColumnEditable)
      .map(({ name, dataType, dataSize, required, defaultValue }) => {
        const kind = cellKind({ dataType });
        const text = formatCell(kind, record?.[name]);
        const none = record === null || (record[name] ?? null) === null;
        const rest = {
          required: required && (defaultValue ?? null) === null,
          size: dataSize,
          hasDefault: defaultValue !== null,
        };
        return {
          name,
          dataType,
          kind,
          none,
          mark: cellHash(kind, record?.[name]),
          ...rest,
          text: isCellTooLong(text) ? null : text,
        };
      }),
    fixed: table.columns
      .filter((column) => !isColumnEditable(column))
      .map((column) => ({ name: column.name, text: formatCell(cellKind(column), record?.[column.name]) })),
    relations: record === null ? [] : await Promise.all(table.relations.map(relatedBy)),
  };
});
export type RecordData = Awaited<ReturnType<typeof loader>>;

const SYSTEM_COLUMNS = new Set(["objectId", "ownerId", "created", "updated", "___class"]);

/** Title of a record: its id and its first text value. */
function recordTitle(record: ApiRecord) {
  const texts = Object.entries(record).map(([name, value]) => (SYSTEM_COLUMNS.has(name) ? null : value));
  const text = texts.find((value) => typeof value === "string" && value !== "");
  return { id: String(record["objectId"]), text: String(text ?? "").slice(0, 80) };
}

export const action = defineAction(async ({ app, viewer, form, params, url }) => {
  assertAdmin(viewer);
  const { tables } = app;
  const { table } = await getApiTable(tables, params["table"]);
  const id = readRecordId(url);
  const intent = String(form.get("intent"));
  if (id === null) {
    const added = await addRecord({ tables, table, form });
    await auditAdminAction(app, viewer, "table.record-add", `${table.name}/${added}`);
    return redirect(urls.record(table.name, { id: added, saved: "1" }));
  }
  const verb = chooseAction(RECORD_COMMANDS, form);
  await verb({ tables, table, id, form });
  await auditAdminAction(app, viewer, `table.record-${intent}`, `${table.name}/${id}`);
  return redirect(intent === "remove" ? urls.table(table.name) : urls.record(table.name, { id, saved: "1" }));
});

/** Reloads after a rejected form too: another person may have changed the record. */
export const shouldRevalidate = () => true;

export const meta = pageMeta<RecordData>((data, t) => ({
  title: data ? `${data.id ?? t("New record")} · ${data.table}` : t("Data tables"),
  hidden: true,
}));

export default function RecordPage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={data.id === null ? t("New record") : <span dir="ltr">{data.id}</span>}
        lead={<span dir="ltr">{data.table}</span>}
        actions={<ButtonLink to={urls.table(data.table)}>{t("All records")}</ButtonLink>}
      />
      {data.saved && <Notice tone="good">{t("Saved.")}</Notice>}
      {/* Fields show other people's changes as soon as they are loaded. */}
      <RecordForm data={data} key={data.cells.map(({ mark }) => mark).join()} />
      {data.relations.map((relation) => (
        <RecordRelations key={relation.name} relation={relation} />
      ))}
      {data.id !== null && <RemoveRecord />}
    </>
  );
}
