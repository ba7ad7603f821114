import { type OwnReport, listOwnReports } from "#community/moderation";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam } from "../form-parsing.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/own-reports-page";

export const middleware = [requireMember];

export const loader = defineLoader(({ db, viewer, url }) => listOwnReports(db, viewer, { after: readQueryParam(url, "after", 1000) }));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("What you reported"), hidden: true }));

export default function OwnReports({ loaderData: { rows, next } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("What you reported")} lead={t("Those who look after this place have seen it, or will.")} />
      {rows.length === 0 && (
        <div className="mt-5">
          <EmptyState title={t("You have reported nothing.")} />
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
  const outcome =
    row.outcome === null
      ? t("Waits")
      : row.appeal && row.about === "person"
        ? row.outcome === "upheld"
          ? t("It was lifted")
          : t("It stays as it was decided")
        : row.appeal
          ? row.outcome === "upheld"
            ? t("It came back")
            : t("It stays removed")
          : row.outcome === "upheld"
            ? t("It was right to report this")
            : t("There is nothing against the rules in it");
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      {row.appeal && (
        <p className="font-semibold">
          {row.about === "person"
            ? t("You asked that what was decided about your account is looked at again")
            : t("You asked that something of yours comes back")}
        </p>
      )}
      {!row.appeal && (row.about === "words" || row.about === "person") && row.authors.length > 0 && (
        <p dir="auto" className="font-semibold break-words">
          {t("About {names}", { names: row.authors.join(", ") })}
        </p>
      )}
      {!row.appeal && row.about === "resource" && <p className="font-semibold">{t("About a resource")}</p>}
      {row.about === "group" && <p className="font-semibold">{t("About a group")}</p>}
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {row.reason}
      </p>
      {row.answer && (
        <p dir="auto" className="break-words text-quiet">
          {t("Reason: {reason}", { reason: row.answer })}
        </p>
      )}
      <p className="text-small text-quiet">
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
