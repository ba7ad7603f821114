import { type OwnReport, listOwnReports } from "#community/moderation";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam } from "../../form-parsing.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useCategoryLabel } from "./category-labels.ts";
import type { Route } from "./+types/own-reports-page";

export const middleware = [requireMember];

export const loader = defineLoader(({ db, viewer, url }) =>
  listOwnReports(db, viewer, { after: readQueryParam(url, "after", 1000) }),
);

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Your reports"),
  hidden: true,
}));

export default function OwnReports({ loaderData: { rows, next } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Your reports")} lead={t("What you reported or appealed, with the decisions.")} />
      {rows.length === 0 && (
        <div className="mt-5">
          <EmptyState title={t("You have no reports.")} />
        </div>
      )}
      <ul>
        {rows.map((row) => (
          <OwnReportRow key={row.id} row={row} />
        ))}
      </ul>
      <NextPageLink to={next && urls.ownReports({ after: next })} />
    </>
  );
}

function OwnReportRow({ row }: { row: OwnReport }) {
  const t = useTranslate();
  const categoryLabel = useCategoryLabel();
  const outcome =
    row.outcome === null
      ? t("Pending")
      : row.appeal && row.about === "person"
        ? row.outcome === "upheld"
          ? t("Lifted")
          : t("Decision upheld")
        : row.appeal
          ? row.outcome === "upheld"
            ? t("Restored")
            : t("Removal upheld")
          : row.outcome === "upheld"
            ? t("Report upheld")
            : t("No rule was broken");
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      {row.appeal && (
        <p className="font-semibold">
          {row.about === "person"
            ? t("Your appeal about your account")
            : t("Your appeal for removed content")}
        </p>
      )}
      {!row.appeal && (row.about === "words" || row.about === "person") && row.authors.length > 0 && (
        <p dir="auto" className="font-semibold break-words">
          {t("Report about {names}", { names: row.authors.join(", ") })}
        </p>
      )}
      {!row.appeal && row.about === "resource" && (
        <p className="font-semibold">{t("Report about a resource")}</p>
      )}
      {row.about === "group" && <p className="font-semibold">{t("Report about a group")}</p>}
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {row.reason}
      </p>
      {row.answer && (
        <p dir="auto" className="break-words text-quiet">
          {t("Reason: {reason}", { reason: row.answer })}
        </p>
      )}
      <p className="text-small text-quiet">
        {!row.appeal && (
          <>
            <bdi>{categoryLabel(row.category)}</bdi> ·{" "}
          </>
        )}
        <Time at={row.createdAt} /> · {outcome}
        {row.resolvedAt && (
          <>
            {" "}
            · <Time at={row.resolvedAt} />
          </>
        )}
      </p>
    </li>
  );
}
