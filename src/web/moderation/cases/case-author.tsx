import type { CaseDetails } from "#community/moderation";
import { PersonLink, Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ReportList } from "../reports/report-list.tsx";

/** Earlier cases and sanctions of the author of the reported content. */
export function CaseAuthor({ it: { authors, history, sanctions } }: { it: CaseDetails }) {
  const t = useTranslate();
  const [author] = authors;
  if (!author || authors.length > 1) return null;
  const labels: Record<string, string> = {
    "person.limited": t("Account restricted"),
    "person.suspended": t("Account suspended"),
    "person.active": t("Restriction lifted"),
    "person.photo-removed": t("Photo removed"),
    "person.header-removed": t("Cover removed"),
    "case.warned": t("Warned"),
    "group.removed": t("Removed from the group"),
    "group.banned": t("Banned from the group"),
  };
  return (
    <section aria-labelledby="author-title" className="panel p-4">
      <h2 id="author-title" className="mb-2 font-semibold">
        {t("History of {name}", { name: author.name })}
      </h2>
      <h3 className="text-small font-semibold">{t("Sanctions")}</h3>
      {sanctions.length === 0 && <p className="text-small text-quiet">{t("None")}</p>}
      <ul className="grid gap-2 text-small">
        {sanctions.map((entry) => (
          <li key={entry.id}>
            <p className="flex flex-wrap items-center gap-x-2">
              <span>{labels[entry.act] ?? entry.act}</span>
              {entry.by && <PersonLink person={entry.by} size={24} />}
              <span className="text-quiet">
                <Time at={entry.at} />
              </span>
            </p>
            {entry.reason && (
              <p dir="auto" className="break-words text-quiet">
                {entry.reason}
              </p>
            )}
          </li>
        ))}
      </ul>
      <h3 className="mt-3 text-small font-semibold">{t("Other cases")}</h3>
      {history.length === 0 && <p className="text-small text-quiet">{t("None")}</p>}
      <ReportList rows={history} />
    </section>
  );
}
