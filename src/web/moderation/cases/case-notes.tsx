import { Form } from "react-router";
import type { CaseDetails } from "#community/moderation";
import { LIMITS } from "#community/rules";
import { PersonLink, SubmitButton, TextArea, Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Internal notes of a case, with a form for one more. */
export function CaseNotes({ it: { notes } }: { it: Pick<CaseDetails, "notes"> }) {
  const t = useTranslate();
  return (
    <section id="notes" aria-labelledby="notes-title" className="panel p-4">
      <h2 id="notes-title" className="mb-2 font-semibold">
        {t("Internal notes")}
      </h2>
      <ul className="grid gap-3 empty:hidden">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
              {note.author ? <PersonLink person={note.author} size={24} /> : t("Former member")}{" "}
              <Time at={note.at} />
            </p>
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {note.body}
            </p>
          </li>
        ))}
      </ul>
      {/* The key empties the form once its note is in the list. */}
      <Form key={notes.at(-1)?.id} method="post" className="mt-3 grid gap-2">
        <input type="hidden" name="intent" value="note" />
        <TextArea
          name="text"
          label={t("Add note")}
          hint={t("Seen by moderators only. Mention a moderator with @ to notify them.")}
          rows={2}
          required
          maxLength={LIMITS.reports.caseNote}
          dir="auto"
        />
        <p>
          <SubmitButton kind="plain" busy={t("Saving…")}>
            {t("Add note")}
          </SubmitButton>
        </p>
      </Form>
    </section>
  );
}
