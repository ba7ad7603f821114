import { Form } from "react-router";
import type { Report as Reported } from "#community/moderation";
import { LIMITS } from "#community/rules";
import { CheckField, FormErrors, Notice, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";
import type { AppealTexts } from "./appeal-texts.ts";

/** A note for moderators, and the submit button. */
function NoteAndSubmit({ children }: { children: string }) {
  const t = useTranslate();
  return (
    <>
      <TextArea name="note" label={t("Internal note")} maxLength={LIMITS.reports.reason} dir="auto" />
      <p>
        <SubmitButton busy={t("Saving…")}>{children}</SubmitButton>
      </p>
    </>
  );
}

/** Form to decide an appeal: whether the content is restored, and the reason, which its author reads. */
export function AppealDecisionForm({ words }: { words: AppealTexts }) {
  const t = useTranslate();
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <FormErrors />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{words.ask}</legend>
        <CheckField type="radio" name="outcome" value="restored" label={words.yes} required />
        <CheckField type="radio" name="outcome" value="rejected" label={words.no} required />
      </fieldset>
      <TextField
        name="reason"
        label={t("Reason")}
        hint={words.reads}
        required
        maxLength={LIMITS.reason}
        dir="auto"
        autoComplete="off"
      />
      <NoteAndSubmit>{t("Send decision")}</NoteAndSubmit>
    </Form>
  );
}

export function CloseReportForm({ takeDown, archive }: { takeDown: boolean; archive: boolean }) {
  const t = useTranslate();
  const outcomes = [
    ...(takeDown ? [["removed", t("Remove (report upheld)")]] : []),
    ...(archive ? [["archived", t("Archive the group (report upheld)")]] : []),
    ["upheld", takeDown || archive ? t("Uphold report, keep content") : t("Report upheld")],
    ["rejected", t("Dismiss report")],
  ];
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <FormErrors />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{t("Decision")}</legend>
        {outcomes.map(([value, words]) => (
          <CheckField key={value} type="radio" name="outcome" value={value} label={words!} required />
        ))}
      </fieldset>
      {(takeDown || archive) && (
        <TextField
          name="reason"
          label={archive ? t("Reason for archiving") : t("Reason (sent to the author)")}
          hint={
            archive
              ? t("Shown in the group's log. Moderators of the group cannot reopen it.")
              : t("The author will read it.")
          }
          maxLength={LIMITS.reason}
          dir="auto"
          autoComplete="off"
        />
      )}
      <NoteAndSubmit>{t("Close report")}</NoteAndSubmit>
    </Form>
  );
}

export function ClosedReport({ report, words }: { report: Reported; words: AppealTexts | null }) {
  const t = useTranslate();
  const upheld = report.outcome === "upheld";
  const outcome = words
    ? upheld
      ? words.ended.yes
      : words.ended.no
    : upheld
      ? t("Report upheld")
      : t("Report dismissed");
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
