import { data, redirect } from "react-router";
import { revealGuestAddress, viewCase } from "#community/moderation";
import { groupRules } from "#community/rules";
import { requireMember } from "../../auth-middleware.ts";
import { chooseAction } from "../../form-parsing.ts";
import { redirectWithNotice } from "../../notices/notice.ts";
import { PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useAppealTexts } from "../appeals/appeal-texts.ts";
import { CaseAuthor } from "./case-author.tsx";
import { CASE_COMMANDS } from "./case-commands.ts";
import { CaseNotes } from "./case-notes.tsx";
import { CaseState } from "./case-state.tsx";
import { CaseTimeline } from "./case-timeline.tsx";
import { AppealDecisionForm, CaseDecisionForm, DecidedCase, SpamButton } from "./case-decision.tsx";
import { PersonNotes } from "./person-notes.tsx";
import { Precedents } from "./precedents.tsx";
import { previewLetters } from "./preview-letters.ts";
import { RemovalDetails, ReportedMessage, ReportedPlaceLink, ReportReason } from "./reported-content.tsx";
import type { Route } from "./+types/case-page";

export const middleware = [requireMember];

/** If the address contains the id of a report, redirects to the case of the report. */
export const loader = defineLoader(async ({ app, viewer, params }) => {
  const id = params["caseId"] ?? "";
  const it = await app.database.inTransaction((tx) => viewCase(tx, viewer, id));
  if (it.caseId !== id) throw redirect(urls.case(it.caseId));
  return { ...it, canInspect: it.group !== null && groupRules.inspect(viewer, it.group) };
});

export const action = defineAction(async ({ app, ctx, viewer, form, params }) => {
  form.set("caseId", params["caseId"] ?? "");
  if (form.get("intent") === "decide" && form.has("preview")) return previewLetters(app, viewer, form);
  if (form.get("intent") === "show-guest-address") {
    const input = { caseId: String(form.get("caseId")), reportId: String(form.get("reportId") ?? "") };
    return data(await app.database.inTransaction((tx) => revealGuestAddress(tx, viewer, input)));
  }
  const command = chooseAction(CASE_COMMANDS, form);
  return redirectWithNotice(ctx, await app.database.inTransaction((tx) => command(tx, viewer, form, ctx)));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Case"),
  hidden: true,
}));

export default function CasePage({ loaderData: it }: Route.ComponentProps) {
  const t = useTranslate();
  const words = useAppealTexts(it);
  return (
    <>
      <p className="mb-2">
        <Link to={urls.moderation()}>{t("All cases")}</Link>
      </p>
      <PageHeader title={words?.title ?? t("Case")} lead={t("Views are logged.")} />
      <RefusalNotice />
      <CaseState it={it} />
      <div className="grid gap-5 wide:grid-cols-[minmax(0,1fr)_20rem]">
        <div>
          <h2 className="mb-2 text-large font-semibold">{t("Content")}</h2>
          {it.place && <ReportedPlaceLink place={it.place} group={it.group} appeal={it.appeal} />}
          {it.canInspect && (
            <p className="mb-2 text-small">
              <Link to={urls.inspectGroup(it.group!.id)}>{t("Inspect group")}</Link>
            </p>
          )}
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {it.messages.map((message) => (
              <ReportedMessage key={message.seq} message={message} appeal={it.appeal} of={it.place} />
            ))}
          </ol>
          {it.removal && words && <RemovalDetails removal={it.removal} by={words.by} />}
          {it.canTakeDown && <SpamButton />}
          <h2 className="mt-5 mb-2 text-large font-semibold">
            {words?.why ??
              (it.also.length === 0
                ? t("Report")
                : t("{count, plural, one {# report} other {# reports}}", { count: 1 + it.also.length }))}
          </h2>
          <ul className="panel p-4">
            {[{ ...it, at: it.createdAt }, ...it.also].map((report, index) => (
              <li key={index} className={index > 0 ? "mt-3 border-t border-line pt-3" : ""}>
                <ReportReason it={report} appeal={it.appeal} />
              </li>
            ))}
          </ul>
          <section id="decide" aria-label={t("Decision")} tabIndex={-1}>
            {it.resolved ? (
              <DecidedCase it={it} words={words} />
            ) : words ? (
              <AppealDecisionForm words={words} />
            ) : (
              <CaseDecisionForm it={it} />
            )}
          </section>
        </div>
        <aside aria-label={t("About this case")} className="grid content-start gap-5">
          <CaseNotes it={it} />
          <CaseTimeline entries={it.timeline} />
          {it.personNotes &&
            it.authors.map((author) => (
              <PersonNotes
                key={author.id}
                person={author}
                notes={it.personNotes!}
                canAdd={it.authors.length === 1}
              />
            ))}
          <CaseAuthor it={it} />
          <Precedents precedents={it.precedents} />
        </aside>
      </div>
    </>
  );
}
