import { redirect } from "react-router";
import { viewReport, Resolution, resolveReport } from "#community/moderation";
import { groupRules } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { parseForm } from "../form-parsing.ts";
import { PageHeader, pageMeta } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { useAppealTexts } from "./appeal-texts.ts";
import { AppealDecisionForm, ClosedReport, CloseReportForm } from "./report-outcome.tsx";
import { RemovalDetails, ReportedMessage, ReportedPlaceLink, ReportReason } from "./reported-content.tsx";
import type { Route } from "./+types/report-details-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, viewer, params }) => {
  const report = await app.database.inTransaction((tx) => viewReport(tx, viewer, params["reportId"] ?? ""));
  return { ...report, canInspect: report.group !== null && groupRules.inspect(viewer, report.group) };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("reportId", params["reportId"] ?? "");
  await app.database.inTransaction((tx) => resolveReport(tx, viewer, parseForm(Resolution, form)));
  return redirect(urls.moderation());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Report"),
  hidden: true,
}));

export default function Report({ loaderData: report }: Route.ComponentProps) {
  const t = useTranslate();
  const words = useAppealTexts(report);
  return (
    <>
      <p className="mb-2">
        <Link to={urls.moderation()}>{t("All reports")}</Link>
      </p>
      <PageHeader title={words?.title ?? t("Report")} lead={t("Views are logged.")} />
      <section aria-label={words?.why ?? t("Reason for the report")} className="panel mb-5 p-4">
        <ReportReason it={{ ...report, at: report.createdAt }} />
        {report.also.map((it) => (
          <div key={it.reporter.id} className="mt-3 border-t border-line pt-3">
            <ReportReason it={it} />
          </div>
        ))}
      </section>
      <h2 className="mb-2 text-large font-semibold">{t("Content")}</h2>
      {report.place && <ReportedPlaceLink place={report.place} group={report.group} appeal={report.appeal} />}
      {report.canInspect && (
        <p className="mb-2 text-small">
          <Link to={urls.inspectGroup(report.group!.id)}>{t("Inspect group")}</Link>
        </p>
      )}
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {report.messages.map((message) => (
          <ReportedMessage key={message.seq} message={message} appeal={report.appeal} of={report.place} />
        ))}
      </ol>
      {report.removal && words && <RemovalDetails removal={report.removal} by={words.by} />}
      {report.resolved ? (
        <ClosedReport report={report} words={words} />
      ) : words ? (
        <AppealDecisionForm words={words} />
      ) : (
        <CloseReportForm takeDown={report.canTakeDown} archive={report.canArchive} />
      )}
    </>
  );
}
