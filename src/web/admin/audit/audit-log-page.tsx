import { Form } from "react-router";
import { type LogPart, listSiteLog } from "#community/moderation";
import { readQueryParam } from "../../form-parsing.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta, SelectField, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/audit-log-page";
import { AuditEntry } from "./audit-entry.tsx";
import { AUDIT_CATEGORIES } from "./audit-categories.ts";
import { readAuditFilters } from "./audit-filters.ts";
import { assertAdmin } from "../admin-access.ts";

export const loader = defineLoader(async ({ db, viewer, ctx, url }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  const filters = readAuditFilters(url);
  const after = readQueryParam(url, "after", 1000);
  return { filters, ...(await listSiteLog(db, viewer, { ...filters, after })) };
});

type AuditPage = Route.ComponentProps["loaderData"];
export const meta = pageMeta<AuditPage>((_data, t) => ({ title: t("Audit log"), hidden: true }));

export default function Audit({ loaderData: { filters: wanted, rows, next } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Audit log")}
        lead={t(
          "Actions of staff and group moderators. For groups that you cannot read, only actions of " +
            "staff are shown.",
        )}
        actions={
          rows.length > 0 && (
            <a href={urls.auditFile(wanted)} download className="button">
              <i className="icon icon-download" />
              {t("Download as CSV")}
            </a>
          )
        }
      />
      <AuditFilter filters={wanted} />
      {rows.length === 0 && <EmptyState title={t("No entries.")} />}
      <ol>
        {rows.map((row) => (
          <AuditEntry key={row.id} row={row} />
        ))}
      </ol>
      {rows.length > 0 && (
        <p className="mt-3 text-small text-quiet">{t("Entries are kept for two years.")}</p>
      )}
      <NextPageLink to={next && urls.audit({ ...wanted, after: next })} />
    </>
  );
}

/** Filters the audit log by a GET form to the same page. */
function AuditFilter({ filters: { by, part } }: Pick<AuditPage, "filters">) {
  const t = useTranslate();
  const words: Record<LogPart, string> = {
    people: t("Members"),
    groups: t("Groups"),
    words: t("Discussions, posts and resources"),
    reports: t("Reports"),
    place: t("Site"),
    programs: t("API"),
  };
  return (
    <Form
      role="search"
      aria-label={t("Search the audit log")}
      key={`${by} ${part}`}
      className="mb-4 flex flex-wrap items-end gap-3"
    >
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          name="by"
          label={t("Actor (username)")}
          defaultValue={by}
          maxLength={60}
          autoComplete="off"
          dir="auto"
        />
      </div>
      <SelectField name="part" label={t("Area")} defaultValue={part ?? ""}>
        <option value="">{t("Everything")}</option>
        {AUDIT_CATEGORIES.map((it) => (
          <option key={it} value={it}>
            {words[it]}
          </option>
        ))}
      </SelectField>
      <button type="submit" className="button">
        {t("Search")}
      </button>
    </Form>
  );
}
