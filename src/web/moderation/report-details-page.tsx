import { Form, redirect } from "react-router";
import { viewReport, type Report as Reported, type ReportedPlace, Resolution, resolveReport } from "#community/moderation";
import { groupRules, LIMITS } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { parseForm } from "../form-parsing.ts";
import {
  CheckField,
  FormErrors,
  Notice,
  PageHeader,
  pageMeta,
  PersonLink,
  Prose,
  SubmitButton,
  TextArea,
  TextField,
  Time,
} from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { reportedTitle } from "./report-list.tsx";
import type { Route } from "./+types/report-details-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, viewer, params }) => {
  const report = await app.database.inTransaction((tx) => viewReport(tx, viewer, params["reportId"] ?? ""));
  return { ...report, mayInspect: report.group !== null && groupRules.inspect(viewer, report.group) };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("reportId", params["reportId"] ?? "");
  await app.database.inTransaction((tx) => resolveReport(tx, viewer, parseForm(Resolution, form)));
  return redirect(urls.moderation());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("A report"), hidden: true }));

export default function Report({ loaderData: report }: Route.ComponentProps) {
  const t = useTranslate();
  const words = useAppealTexts(report);
  return (
    <>
      <p className="mb-2">
        <Link to={urls.moderation()}>{t("All reports")}</Link>
      </p>
      <PageHeader title={words?.title ?? t("A report")} lead={t("Those who look at it are written down.")} />
      <section aria-label={words?.why ?? t("Why it was reported")} className="panel mb-5 p-4">
        <ReportReason it={{ ...report, at: report.createdAt }} />
        {report.also.map((it) => (
          <div key={it.reporter.id} className="mt-3 border-t border-line pt-3">
            <ReportReason it={it} />
          </div>
        ))}
      </section>
      <h2 className="mb-2 text-large font-semibold">{t("What it is about")}</h2>
      {report.place && <ReportedPlaceLink place={report.place} group={report.group} appeal={report.appeal} />}
      {report.mayInspect && (
        <p className="mb-2 text-small">
          <Link to={urls.inspectGroup(report.group!.id)}>{t("Look into a group")}</Link>
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
        <CloseReportForm takeDown={report.mayTakeDown} archive={report.mayArchive} />
      )}
    </>
  );
}

/** Texts of an appeal and its outcomes; null for a report. */
function useAppealTexts({ appeal, place }: Pick<Reported, "appeal" | "place">) {
  const t = useTranslate();
  if (!appeal) return null;
  if (place?.kind === "person")
    return {
      title: t("Somebody asks that what was decided about their account is looked at again"),
      why: t("Why it should be decided otherwise"),
      by: t("Decided by"),
      ask: t("Is it lifted?"),
      yes: t("It is lifted"),
      no: t("It stays as it was decided"),
      reads: t("They are written a mail with it."),
      ended: { yes: t("It was lifted"), no: t("It stays as it was decided") },
    };
  return {
    title: t("Somebody asks that something comes back"),
    why: t("Why it should come back"),
    by: t("Removed by"),
    ask: t("Does it come back?"),
    yes: t("It comes back"),
    no: t("It stays removed"),
    reads: t("Whoever wrote it will read it."),
    ended: { yes: t("It came back"), no: t("It stays removed") },
  };
}
type AppealTexts = NonNullable<ReturnType<typeof useAppealTexts>>;

/** Reason of one reporter. */
const ReportReason = ({ it }: { it: Reported["also"][number] }) => (
  <>
    <p className="mb-2 flex flex-wrap items-center gap-2 text-small text-quiet">
      <PersonLink person={it.reporter} /> <Time at={it.at} />
    </p>
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {it.reason}
    </p>
  </>
);

function placeUrl({ kind, id, number }: ReportedPlace): string {
  const post = number ?? undefined;
  if (kind === "discussion") return urls.discussion(id, { post });
  if (kind === "resource") return urls.resource(id, { post });
  return kind === "person" ? urls.person(id) : urls.group(id);
}

/** Where the content is now, with a link for people who can see it. */
function ReportedPlaceLink({ place, group, appeal }: { place: ReportedPlace; group: Reported["group"]; appeal: boolean }) {
  const t = useTranslate();
  const words = reportedTitle(place);
  return (
    <p className="mb-2 break-words text-small text-quiet">
      {place.open ? (
        <Link to={placeUrl(place)} dir="auto">
          {words}
        </Link>
      ) : (
        <bdi>{words}</bdi>
      )}
      {group && (
        <>
          {" "}
          · <bdi>{group.name}</bdi>
        </>
      )}
      {place.gone && !appeal && <> · {t("It was taken away since.")}</>}
      {place.hidden && <> · {t("It is hidden from others until this has ended.")}</>}
    </p>
  );
}

type ShownProps = { message: Reported["messages"][number]; appeal: boolean; of: ReportedPlace | null };

/** A group has no author. */
function ReportedMessage({ message, appeal, of }: ShownProps) {
  const t = useTranslate();
  return (
    <li className={`rounded-panel border p-3 ${message.chosen ? "border-amber bg-amber-soft" : "border-line bg-surface"}`}>
      <p className="mb-1 flex flex-wrap items-center gap-2 text-small text-quiet">
        {message.author ? (
          <PersonLink person={message.author} size={24} />
        ) : of?.kind === "group" ? (
          <bdi>{of.title}</bdi>
        ) : (
          t("Former member")
        )}{" "}
        <Time at={message.at} />
        {message.edited && <span>{t("edited")}</span>}
        {message.chosen && !appeal && <span className="font-semibold text-amber">{t("Reported")}</span>}
      </p>
      {message.html ? (
        <Prose html={message.html} className="message-text" />
      ) : (
        <p className="text-quiet">{t("Its words are no longer kept.")}</p>
      )}
    </li>
  );
}

/** The removal or decision: its author, and the reason given to the person concerned. */
function RemovalDetails({
  removal: { by, reason, at, state, until },
  by: label,
}: {
  removal: NonNullable<Reported["removal"]>;
  by: string;
}) {
  const t = useTranslate();
  return (
    <section aria-label={state ? t("What was decided") : t("Why it was removed")} className="mt-3">
      {state && (
        <p className="font-semibold">
          {state === "suspended" ? t("Suspended") : t("Limited")}
          {until && (
            <>
              {" · "}
              <Rich text="until <0></0>" parts={[<Time at={until} />]} />
            </>
          )}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
        {label} {by ? <PersonLink person={by} size={24} /> : t("Former member")} <Time at={at} />
      </p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {reason}
      </p>
    </section>
  );
}

/** A note for moderators, and the submit button. */
function NoteAndSubmit({ children }: { children: string }) {
  const t = useTranslate();
  return (
    <>
      <TextArea name="note" label={t("Note, for those who look after this place")} maxLength={LIMITS.reports.reason} dir="auto" />
      <p>
        <SubmitButton busy={t("Saving…")}>{children}</SubmitButton>
      </p>
    </>
  );
}

/** Whether the content is restored, and the reason, which its author reads. */
function AppealDecisionForm({ words }: { words: AppealTexts }) {
  const t = useTranslate();
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <FormErrors />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{words.ask}</legend>
        <CheckField type="radio" name="outcome" value="restored" label={words.yes} required />
        <CheckField type="radio" name="outcome" value="rejected" label={words.no} required />
      </fieldset>
      <TextField name="reason" label={t("Reason")} hint={words.reads} required maxLength={LIMITS.reason} dir="auto" autoComplete="off" />
      <NoteAndSubmit>{t("Answer")}</NoteAndSubmit>
    </Form>
  );
}

function CloseReportForm({ takeDown, archive }: { takeDown: boolean; archive: boolean }) {
  const t = useTranslate();
  const outcomes = [
    ...(takeDown ? [["removed", t("It was right to report this, and it goes")]] : []),
    ...(archive ? [["archived", t("It was right to report this, and the group is archived")]] : []),
    ["upheld", takeDown || archive ? t("It was right to report this, and it stays") : t("It was right to report this")],
    ["rejected", t("There is nothing wrong with it")],
  ];
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <FormErrors />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{t("How does it end?")}</legend>
        {outcomes.map(([value, words]) => (
          <CheckField key={value} type="radio" name="outcome" value={value} label={words!} required />
        ))}
      </fieldset>
      {(takeDown || archive) && (
        <TextField
          name="reason"
          label={archive ? t("Reason, where it is archived") : t("Reason, where it goes")}
          hint={
            archive
              ? t("Those who look after the group read it in its log, and cannot open it again.")
              : t("Whoever wrote it will read it.")
          }
          maxLength={LIMITS.reason}
          dir="auto"
          autoComplete="off"
        />
      )}
      <NoteAndSubmit>{t("End the report")}</NoteAndSubmit>
    </Form>
  );
}

function ClosedReport({ report, words }: { report: Reported; words: AppealTexts | null }) {
  const t = useTranslate();
  const upheld = report.outcome === "upheld";
  const outcome = words
    ? upheld
      ? words.ended.yes
      : words.ended.no
    : upheld
      ? t("It was right to report this")
      : t("There is nothing wrong with it");
  return (
    <div className="mt-5">
      <Notice tone="good">
        <p>
          {outcome} · {report.resolvedBy?.name ?? t("Former member")}
        </p>
        {report.answer && <p dir="auto">{report.answer}</p>}
        {report.note && <p dir="auto">{report.note}</p>}
      </Notice>
    </div>
  );
}
