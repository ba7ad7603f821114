import { Form, Link, redirect } from "react-router";
import { getDataConfig, createTable, changeDataConfig, listTables } from "#baas/data";
import { notFound, Refusal } from "#platform/refusal";
import { cleanText } from "../../form-parsing.ts";
import {
  CheckField,
  EmptyState,
  FormErrors,
  PageHeader,
  pageMeta,
  RefusalNotice,
  SelectField,
  SubmitButton,
  TextField,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/tables-page";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";

export const loader = defineLoader(async ({ app, viewer }) => {
  assertAdmin(viewer);
  const all = await listTables(app.tables);
  const summary = all.map(({ name, columns, relations, published }) => ({
    name,
    columns: columns.length + relations.length,
    published,
  }));
  return {
    tables: summary.filter(({ published }) => !published),
    entities: summary.filter(({ published }) => published),
    config: await getDataConfig(app.tables),
    room: await app.tables.quota.state(),
  };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  if (form.get("intent") === "make") {
    const name = cleanText(String(form.get("name") ?? "")).trim();
    await createTable(app.tables, { name });
    await auditAdminAction(app, viewer, "table.make", name.slice(0, 64));
    return redirect(urls.table(name));
  }
  if (form.get("intent") !== "config") throw notFound();
  const defaultAccess = String(form.get("defaultAccess"));
  if (defaultAccess === "open" && form.get("understood") === null)
    throw new Refusal("invalid", "Confirm that you understand this.", {
      fields: { understood: "Confirm that you want this change." },
    });
  await changeDataConfig(app.tables, { dynamicSchema: form.get("dynamicSchema") !== null, defaultAccess });
  await auditAdminAction(app, viewer, "tables.config", defaultAccess);
  return redirect(urls.tables());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Data tables"),
  hidden: true,
}));

export default function TablesPage({
  loaderData: { tables, entities, config: now, room },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Data tables")}
        lead={t("Tables of API clients, in addition to the community's own tables.")}
      />
      <RefusalNotice />
      {tables.length === 0 && <EmptyState title={t("No data tables yet.")} />}
      <ul className="border-t border-line empty:hidden">
        {tables.map(({ name, columns }) => (
          <li
            key={name}
            className="flex flex-wrap items-baseline justify-between gap-2 border-b border-line py-3"
          >
            <Link to={urls.table(name)} className="font-semibold break-all" dir="ltr">
              {name}
            </Link>
            <span className="text-small text-quiet">
              {t("{count, plural, one {# column} other {# columns}}", { count: columns })}
            </span>
          </li>
        ))}
      </ul>
      <StorageUsage {...room} />
      {entities.length > 0 && (
        <p className="mt-3 text-small text-quiet">
          {t(
            "Tables of the community: {names}. API clients read them with the rights of their users; " +
              "they cannot be changed here.",
            {
              names: entities.map(({ name }) => name).join(", "),
            },
          )}
        </p>
      )}
      <section aria-labelledby="new" className="mt-8 border-t border-line py-6">
        <h2 id="new" className="mb-3 font-serif text-large font-semibold">
          {t("New table")}
        </h2>
        <Form method="post" className="grid max-w-xl gap-3">
          <FormErrors />
          <input type="hidden" name="intent" value="make" />
          <TextField
            name="name"
            label={t("Label")}
            hint={t("Letters, digits and underscores.")}
            required
            maxLength={64}
            dir="ltr"
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Create table")}</SubmitButton>
          </div>
        </Form>
      </section>
      <ConfigForm now={now} />
    </>
  );
}

/** Storage used by all data tables, and its quota. */
function StorageUsage({ used, quota }: Route.ComponentProps["loaderData"]["room"]) {
  const t = useTranslate();
  const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
  const [rows, most] = [Math.round(used.rows), quota.rows];
  return (
    <p className="mt-3 text-small text-quiet">
      {most > 0
        ? t("About {rows, number} of {most, number} records.", { rows, most })
        : t("About {rows, number} records.", { rows })}{" "}
      {quota.bytes > 0
        ? t("{used, number} of {most, number} MB.", {
            used: megabytes(used.bytes),
            most: megabytes(quota.bytes),
          })
        : t("{used, number} MB.", { used: megabytes(used.bytes) })}{" "}
      <Link to={urls.siteSettings({}, "tableRows")}>{t("Limits")}</Link>
    </p>
  );
}

function ConfigForm({ now }: { now: Route.ComponentProps["loaderData"]["config"] }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="config" className="border-t border-line py-6">
      <h2 id="config" className="mb-3 font-serif text-large font-semibold">
        {t("Defaults of all tables")}
      </h2>
      <Form method="post" className="grid max-w-xl gap-4">
        <input type="hidden" name="intent" value="config" />
        <CheckField
          name="dynamicSchema"
          label={t("Create tables on save")}
          hint={t("Creates unknown tables and columns when an API client first saves into them.")}
          defaultChecked={now.dynamicSchema}
        />
        <SelectField name="defaultAccess" label={t("Default permissions")} defaultValue={now.defaultAccess}>
          <option value="members">{t("Members can read and add records, and change their own")}</option>
          <option value="open">{t("Everyone can read and change all records")}</option>
        </SelectField>
        <CheckField
          name="understood"
          label={t("I understand that anyone can then read and change these tables without an account")}
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        </div>
      </Form>
    </section>
  );
}
