import { redirect } from "react-router";
import { findOne, findRelated, onTable, type RelationOut, type WireRecord } from "#backend/tables";
import { clean, verbIn } from "../forms.ts";
import { ButtonLink, Notice, PageHead, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/record";
import { isEditable, isTooLong, kindOf, markOf, textOf } from "./cells.ts";
import { assertAdmin, noted } from "./only-admins.ts";
import { RecordForm } from "./record-form.tsx";
import { RecordRelations, RemoveRecord } from "./record-relations.tsx";
import { addRecord, RECORD_VERBS } from "./record-verbs.ts";
import { houseOf, ownTable } from "./the-house.ts";

export const handle = { asides: "none" };

/** Related records shown for each relation. */
const RELATED = 20;
const LONGEST_ID = 250;

const idIn = (url: URL) => {
  const id = url.searchParams.get("id");
  return id === null ? null : clean(id).slice(0, LONGEST_ID);
};

export const loader = reading(async ({ house, viewer, params, url }) => {
  assertAdmin(viewer);
  const { table, all } = await ownTable(house.tables, params["table"]);
  const id = idIn(url);
  const record = id === null ? null : await onTable(house.tables, table.name, (it) => findOne(house.tables, houseOf(viewer), it, id));
  const own = new Set(all.filter(({ published }) => !published).map(({ name }) => name));
  const relatedBy = async (relation: RelationOut) => {
    const query = { pageSize: RELATED };
    const found = await onTable(house.tables, table.name, (it) =>
      findRelated(house.tables, houseOf(viewer), it, id!, relation.name, query),
    );
    return { ...relation, isOwn: own.has(relation.toTable), records: found.map(lineOf) };
  };
  return {
    table: table.name,
    id,
    saved: url.searchParams.has("saved"),
    cells: table.columns.filter(isEditable).map(({ name, dataType, dataSize, required, defaultValue }) => {
      const kind = kindOf({ dataType });
      const text = textOf(kind, record?.[name]);
      const none = record === null || (record[name] ?? null) === null;
      const rest = { required: required && (defaultValue ?? null) === null, size: dataSize, hasDefault: defaultValue !== null };
      return { name, dataType, kind, none, mark: markOf(kind, record?.[name]), ...rest, text: isTooLong(text) ? null : text };
    }),
    fixed: table.columns
      .filter((column) => !isEditable(column))
      .map((column) => ({ name: column.name, text: textOf(kindOf(column), record?.[column.name]) })),
    relations: record === null ? [] : await Promise.all(table.relations.map(relatedBy)),
  };
});
export type RecordData = Awaited<ReturnType<typeof loader>>;

const SYSTEM = new Set(["objectId", "ownerId", "created", "updated", "___class"]);

/** Title of a record: its id and its first text. */
function lineOf(record: WireRecord) {
  const text = Object.entries(record).find(([name, value]) => !SYSTEM.has(name) && typeof value === "string" && value !== "")?.[1] as
    | string
    | undefined;
  return { id: String(record["objectId"]), text: (text ?? "").slice(0, 80) };
}

export const action = acting(async ({ house, viewer, form, params, url }) => {
  assertAdmin(viewer);
  const { tables } = house;
  const { table } = await ownTable(tables, params["table"]);
  const id = idIn(url);
  const intent = String(form.get("intent"));
  if (id === null) {
    const added = await addRecord({ tables, table, form });
    await noted(house, viewer, "table.record-add", `${table.name}/${added}`);
    return redirect(urls.record(table.name, { id: added, saved: "1" }));
  }
  const verb = verbIn(RECORD_VERBS, form);
  await verb({ tables, table, id, form });
  await noted(house, viewer, `table.record-${intent}`, `${table.name}/${id}`);
  return redirect(intent === "remove" ? urls.table(table.name) : urls.record(table.name, { id, saved: "1" }));
});

/** Also after a refused form, which may be refused because another person changed the record. */
export const shouldRevalidate = () => true;

export const meta = pageMeta<RecordData>((data, t) => ({
  title: data ? `${data.id ?? t("A new record")} · ${data.table}` : t("Tables of programs"),
  hidden: true,
}));

export default function RecordPage({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={data.id === null ? t("A new record") : <span dir="ltr">{data.id}</span>}
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
