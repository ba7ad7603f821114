import { Form } from "react-router";
import type { PersonNote } from "#community/moderation";
import { PERSON_NOTE_LIMITS } from "#community/rules";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonLink, SubmitButton, TextArea, Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

type PersonNotesProps = {
  person: { id: string; name: string };
  /** Notes on several people, of which those on this person are shown. */
  notes: PersonNote[];
  /** Whether the page has a form for one more note; a page has at most one. */
  canAdd: boolean;
};

/** Number of characters of a note in the name of its delete button. */
const EXCERPT_LENGTH = 60;

/** Internal notes of staff on a person, with forms to add and delete them. */
export function PersonNotes({ person, notes, canAdd }: PersonNotesProps) {
  const t = useTranslate();
  const own = notes.filter(({ personId }) => personId === person.id);
  const title = `person-notes-${person.id}`;
  return (
    <section aria-labelledby={title} className="panel p-4">
      <h2 id={title} className="mb-2 font-semibold break-words">
        {t("Notes on {name}", { name: person.name })}
      </h2>
      {own.length === 0 && <p className="text-small text-quiet">{t("No notes yet.")}</p>}
      <ul className="grid gap-3 empty:hidden">
        {own.map((note) => (
          <li key={note.id}>
            <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
              {note.author ? <PersonLink person={note.author} size={24} /> : t("Former member")}{" "}
              <Time at={note.at} />
            </p>
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {note.body}
            </p>
            {note.canDelete && (
              <ActionForm
                intent="delete-person-note"
                fields={{ noteId: note.id }}
                kind="quiet"
                busy={t("Deleting…")}
                label={t("Delete note: {text}", { text: note.body.slice(0, EXCERPT_LENGTH) })}
              >
                {t("Delete note")}
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {/* The key empties the form once its note is in the list. */}
      {canAdd && (
        <Form key={own[0]?.id} method="post" className="mt-3 grid gap-2">
          <input type="hidden" name="intent" value="note-person" />
          <input type="hidden" name="personId" value={person.id} />
          <TextArea
            name="body"
            label={t("Add note on the person")}
            hint={t("Seen by site moderators and admins only, never by the person.")}
            rows={2}
            required
            maxLength={PERSON_NOTE_LIMITS.text}
            dir="auto"
          />
          <p>
            <SubmitButton kind="plain" busy={t("Saving…")}>
              {t("Add note on the person")}
            </SubmitButton>
          </p>
        </Form>
      )}
    </section>
  );
}
