import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { personCard, type PersonCard } from "#community/common";
import { isReportPending } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { NewCaseNote } from "../report-forms.ts";
import { findCase, lockCase } from "./find-case.ts";
import { joinLatestReport } from "./list-cases.ts";

/** Maximum number of notes of a case. */
const MAX_NOTES = 200;
/** Maximum number of people who are offered for a handover. */
const MAX_MODERATORS = 50;

/**
 * Adds an internal note, which moderators of the place read. Mentioned people who may decide the case are
 * notified.
 * @throws `not-found` as `viewCase`, `too-many` above 200 notes
 */
export async function addCaseNote(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewCaseNote>,
): Promise<void> {
  await lockCase(tx, input.caseId);
  const it = await findCase(tx, viewer, input.caseId);
  const made = await run(
    tx,
    sql`insert into case_notes (id, case_id, author_id, body, created_at)
      select ${tx.newId()}, ${it.caseId}, ${viewer.id}::uuid, ${input.text}, ${tx.now}
      where (select count(*) from case_notes where case_id = ${it.caseId}) < ${MAX_NOTES}::integer`,
  );
  if (made === 0) throw new Refusal("too-many", "This case has too many notes. Decide it or hand it over.");
  await writeAudit(tx, viewer, {
    act: "case.noted",
    kind: "case",
    id: it.caseId,
    details: { groupId: it.groupId },
  });
  const names = findMentions(input.text);
  if (names.length === 0) return;
  for (const person of await listCaseModerators(tx, it.caseId))
    if (person.id !== viewer.id && names.includes(person.username))
      await emit(tx, { type: "case.mentioned", reportId: it.id, personId: person.id, by: viewer.id });
}

/** User names that follow an `@` in the text. */
const findMentions = (text: string) =>
  [...text.matchAll(/(?:^|[^\p{L}\p{N}_@.])@([a-z0-9][a-z0-9_.-]*[a-z0-9])/giu)].map((it) =>
    it[1]!.toLowerCase(),
  );

/** Active people who may decide the open case: staff, and moderators of its group, except people involved. */
export async function listCaseModerators(db: Db, caseId: string): Promise<PersonCard[]> {
  const rows = await many(
    db,
    sql<{ card: PersonCard }>`
      select ${personCard("who")} as card from cases c ${joinLatestReport}
      join people who on who.state = 'active' and (who.site_role <> 'member' or who.id in (
        select person_id from memberships
        where group_id = c.group_id and state = 'member' and role <> 'member'))
      where c.id = ${caseId} and ${isReportPending(sql`who`)}
      order by who.display_name, who.id ${limit(MAX_MODERATORS)}`,
  );
  return rows.map(({ card }) => card);
}
