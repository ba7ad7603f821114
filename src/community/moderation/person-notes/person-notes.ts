import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { writeAudit } from "#community/audit";
import { id, personCard, type PersonCard, requiredText } from "#community/common";
import { isStaff, PERSON_NOTE_LIMITS, personNoteRules, type Viewer } from "#community/rules";

export const NewPersonNote = z.object({
  personId: id,
  body: requiredText("The note", "Write a note.", PERSON_NOTE_LIMITS.text),
});
export const PersonNoteInput = z.object({ noteId: id });

/** An internal note of staff on a person. `author` is null after the author was deleted. */
export type PersonNote = {
  id: string;
  personId: string;
  author: PersonCard | null;
  body: string;
  at: Date;
  /** Whether the viewer may delete the note. */
  canDelete: boolean;
};

/**
 * Notes on these people, latest first, at most 100 on each. Leaves out notes on the viewer.
 * @throws `not-found` for all but staff
 */
export async function listPersonNotes(db: Db, viewer: Viewer, personIds: string[]): Promise<PersonNote[]> {
  if (!isStaff(viewer)) throw notFound();
  const readable = personIds.filter((personId) => isId(personId) && personNoteRules.read(viewer, personId));
  if (readable.length === 0) return [];
  const rows = await many(
    db,
    sql<Omit<PersonNote, "canDelete"> & { authorId: string | null }>`
      select n.id, n.person_id as "personId", n.author_id as "authorId", n.body, n.created_at as at,
        case when author.id is not null then ${personCard("author")} end as author
      from person_notes n left join people author on author.id = n.author_id
      where n.person_id = any(${readable}::uuid[])
      order by n.created_at desc, n.id desc ${limit(PERSON_NOTE_LIMITS.count * readable.length)}`,
  );
  return rows.map(({ authorId, ...row }) => ({
    ...row,
    canDelete: personNoteRules.delete(viewer, { authorId }),
  }));
}

/**
 * Adds an internal note on a person.
 * @throws `not-found` for all but staff, for the viewer's own account and for erased ones; `too-many` above 100
 * notes
 */
export async function addPersonNote(
  tx: Tx,
  viewer: Viewer,
  { personId, body }: z.output<typeof NewPersonNote>,
): Promise<void> {
  if (!personNoteRules.read(viewer, personId)) throw notFound();
  // Locks the person, so that concurrent notes are counted one after the other.
  const person = await maybeOne(
    tx,
    sql<{ name: string }>`select display_name as name from people
      where id = ${personId} and state <> 'erased' for no key update`,
  );
  if (!person) throw notFound();
  const made = await run(
    tx,
    sql`insert into person_notes (id, person_id, author_id, body, created_at)
      select ${tx.newId()}, ${personId}, ${viewer.id}::uuid, ${body}, ${tx.now}
      where (select count(*) from person_notes where person_id = ${personId})
        < ${PERSON_NOTE_LIMITS.count}::integer`,
  );
  if (made === 0)
    throw new Refusal(
      "too-many",
      msg("{name} already has {count, number} notes. Delete some first.", {
        name: person.name,
        count: PERSON_NOTE_LIMITS.count,
      }),
    );
  await writeAudit(tx, viewer, { act: "person.noted", kind: "person", id: personId });
}

/**
 * Deletes a note. Returns the id of the person.
 * @throws `not-found` like `addPersonNote`; `not-allowed` for all but its author and admins
 */
export async function deletePersonNote(
  tx: Tx,
  viewer: Viewer,
  { noteId }: z.output<typeof PersonNoteInput>,
): Promise<string> {
  const note = await maybeOne(
    tx,
    sql<{ personId: string; authorId: string | null }>`
      select person_id as "personId", author_id as "authorId" from person_notes where id = ${noteId}
      for update`,
  );
  if (!note || !personNoteRules.read(viewer, note.personId)) throw notFound();
  if (!personNoteRules.delete(viewer, note))
    throw new Refusal("not-allowed", "Only its author or an admin can delete this note.");
  await run(tx, sql`delete from person_notes where id = ${noteId}`);
  await writeAudit(tx, viewer, { act: "person.note-deleted", kind: "person", id: note.personId });
  return note.personId;
}
