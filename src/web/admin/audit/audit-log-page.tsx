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
import { assertAdmin } from "../admin-access.ts";

export const handle = { asides: "none" };

export const loader = defineLoader(async ({ db, viewer, ctx, url }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  const part = AUDIT_CATEGORIES.find((it) => it === readQueryParam(url, "part"));
  const by = readQueryParam(url, "by", 60);
  return { asked: { by, part }, ...(await listSiteLog(db, viewer, { by, part, after: readQueryParam(url, "after", 1000) })) };
});

type AuditPage = Route.ComponentProps["loaderData"];
export const meta = pageMeta<AuditPage>((_data, t) => ({ title: t("What was done"), hidden: true }));

export default function Audit({ loaderData: { asked: wanted, rows, next } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("What was done")}
        lead={t(
          "By those who have a say over others: who did what, when and why. Of groups that you do not read, only what was done in your office.",
        )}
      />
      <AuditFilter asked={wanted} />
      {rows.length === 0 && <EmptyState title={t("Nothing has been done yet.")} />}
      <ol>
        {rows.map((row) => (
          <AuditEntry key={row.id} row={row} />
        ))}
      </ol>
      {rows.length > 0 && <p className="mt-3 text-small text-quiet">{t("What is done is written down for two years.")}</p>}
      <NextPageLink to={next && urls.audit({ ...wanted, after: next })} />
    </>
  );
}

/** A GET form to the same page. */
function AuditFilter({ asked: { by, part } }: Pick<AuditPage, "asked">) {
  const t = useTranslate();
  const words: Record<LogPart, string> = {
    people: t("Accounts"),
    groups: t("Groups"),
    words: t("Discussions, posts and resources"),
    reports: t("Reports"),
    place: t("The place"),
    programs: t("Programs"),
  };
  return (
    <Form role="search" aria-label={t("Search what was done")} key={`${by} ${part}`} className="mb-4 flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-60">
        <TextField name="by" label={t("Who did it (user name)")} defaultValue={by} maxLength={60} autoComplete="off" dir="auto" />
      </div>
      <SelectField name="part" label={t("To what")} defaultValue={part ?? ""}>
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
