import { Form, redirect } from "react-router";
import { lookAtReport, type Report as Reported, type ReportedPlace, Resolution, resolveReport } from "#community/moderation";
import { groupRules, LIMITS } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import {
  CheckField,
  FormFaults,
  Notice,
  PageHead,
  pageMeta,
  PersonLink,
  Prose,
  SubmitButton,
  TextArea,
  TextField,
  Time,
} from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import { titleOf } from "./report-list.tsx";
import type { Route } from "./+types/report";

export const middleware = [membersOnly];

export const loader = reading(async ({ house, viewer, params }) => {
  const report = await house.database.inTransaction((tx) => lookAtReport(tx, viewer, params["reportId"] ?? ""));
  return { ...report, mayInspect: report.group !== null && groupRules.inspect(viewer, report.group) };
});

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("reportId", params["reportId"] ?? "");
  await house.database.inTransaction((tx) => resolveReport(tx, viewer, parseForm(Resolution, form)));
  return redirect(urls.moderation());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("A report"), hidden: true }));

export default function Report({ loaderData: report }: Route.ComponentProps) {
  const t = useWords();
  const words = useAppealWords(report);
  return (
    <>
      <p className="mb-2">
        <Link to={urls.moderation()}>{t("All reports")}</Link>
      </p>
      <PageHead title={words?.title ?? t("A report")} lead={t("Those who look at it are written down.")} />
      <section aria-label={words?.why ?? t("Why it was reported")} className="panel mb-5 p-4">
        <Why it={{ ...report, at: report.createdAt }} />
        {report.also.map((it) => (
          <div key={it.reporter.id} className="mt-3 border-t border-line pt-3">
            <Why it={it} />
          </div>
        ))}
      </section>
      <h2 className="mb-2 text-large font-semibold">{t("What it is about")}</h2>
      {report.place && <Where place={report.place} group={report.group} appeal={report.appeal} />}
      {report.mayInspect && (
        <p className="mb-2 text-small">
          <Link to={urls.inspectGroup(report.group!.id)}>{t("Look into a group")}</Link>
        </p>
      )}
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {report.messages.map((message) => (
          <Shown key={message.seq} message={message} appeal={report.appeal} of={report.place} />
        ))}
      </ol>
      {report.removal && words && <Removed removal={report.removal} by={words.by} />}
      {report.resolved ? (
        <Ended report={report} words={words} />
      ) : words ? (
        <Answering words={words} />
      ) : (
        <Ending takeDown={report.mayTakeDown} archive={report.mayArchive} />
      )}
    </>
  );
}

/** Texts of an appeal and its outcomes; null for a report. */
function useAppealWords({ appeal, place }: Pick<Reported, "appeal" | "place">) {
  const t = useWords();
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
type AppealWords = NonNullable<ReturnType<typeof useAppealWords>>;

/** Reason of one reporter. */
const Why = ({ it }: { it: Reported["also"][number] }) => (
  <>
    <p className="mb-2 flex flex-wrap items-center gap-2 text-small text-quiet">
      <PersonLink person={it.reporter} /> <Time at={it.at} />
    </p>
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {it.reason}
    </p>
  </>
);

function addressOf({ kind, id, number }: ReportedPlace): string {
  const post = number ?? undefined;
  if (kind === "discussion") return urls.discussion(id, { post });
  if (kind === "resource") return urls.resource(id, { post });
  return kind === "person" ? urls.person(id) : urls.group(id);
}

/** Where the content is now, with a link for people who can see it. */
function Where({ place, group, appeal }: { place: ReportedPlace; group: Reported["group"]; appeal: boolean }) {
  const t = useWords();
  const words = titleOf(place);
  return (
    <p className="mb-2 break-words text-small text-quiet">
      {place.open ? (
        <Link to={addressOf(place)} dir="auto">
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
function Shown({ message, appeal, of }: ShownProps) {
  const t = useWords();
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
function Removed({ removal: { by, reason, at, state, until }, by: label }: { removal: NonNullable<Reported["removal"]>; by: string }) {
  const t = useWords();
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
function NoteAndEnd({ children }: { children: string }) {
  const t = useWords();
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
function Answering({ words }: { words: AppealWords }) {
  const t = useWords();
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <FormFaults />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{words.ask}</legend>
        <CheckField type="radio" name="outcome" value="restored" label={words.yes} required />
        <CheckField type="radio" name="outcome" value="rejected" label={words.no} required />
      </fieldset>
      <TextField name="reason" label={t("Reason")} hint={words.reads} required maxLength={LIMITS.reason} dir="auto" autoComplete="off" />
      <NoteAndEnd>{t("Answer")}</NoteAndEnd>
    </Form>
  );
}

function Ending({ takeDown, archive }: { takeDown: boolean; archive: boolean }) {
  const t = useWords();
  const outcomes = [
    ...(takeDown ? [["removed", t("It was right to report this, and it goes")]] : []),
    ...(archive ? [["archived", t("It was right to report this, and the group is archived")]] : []),
    ["upheld", takeDown || archive ? t("It was right to report this, and it stays") : t("It was right to report this")],
    ["rejected", t("There is nothing wrong with it")],
  ];
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <FormFaults />
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
      <NoteAndEnd>{t("End the report")}</NoteAndEnd>
    </Form>
  );
}

function Ended({ report, words }: { report: Reported; words: AppealWords | null }) {
  const t = useWords();
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
