import { Form } from "react-router";
import { type LogPart, siteLog } from "#community/moderation";
import { asked } from "../forms.ts";
import { Empty, NextPage, PageHead, pageMeta, SelectField, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/audit";
import { ActLine } from "./act-line.tsx";
import { LOG_PARTS } from "./audit-parts.ts";
import { assertAdmin } from "./only-admins.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, viewer, visit, url }) => {
  assertAdmin(viewer);
  visit.headers["cache-control"] = "no-store";
  const part = LOG_PARTS.find((it) => it === asked(url, "part"));
  const by = asked(url, "by", 60);
  return { asked: { by, part }, ...(await siteLog(db, viewer, { by, part, after: asked(url, "after", 1000) })) };
});

type AuditPage = Route.ComponentProps["loaderData"];
export const meta = pageMeta<AuditPage>((_data, t) => ({ title: t("What was done"), hidden: true }));

export default function Audit({ loaderData: { asked: wanted, rows, next } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("What was done")}
        lead={t(
          "By those who have a say over others: who did what, when and why. Of groups that you do not read, only what was done in your office.",
        )}
      />
      <Filter asked={wanted} />
      {rows.length === 0 && <Empty title={t("Nothing has been done yet.")} />}
      <ol>
        {rows.map((row) => (
          <ActLine key={row.id} row={row} />
        ))}
      </ol>
      {rows.length > 0 && <p className="mt-3 text-small text-quiet">{t("What is done is written down for two years.")}</p>}
      <NextPage to={next && urls.audit({ ...wanted, after: next })} />
    </>
  );
}

/** A GET form to the same page. */
function Filter({ asked: { by, part } }: Pick<AuditPage, "asked">) {
  const t = useWords();
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
        {LOG_PARTS.map((it) => (
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
