import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { getOwnSanction } from "#community/accounts";
import { appealRules, type Viewer } from "#community/rules";
import type { OwnAppeal } from "./removal-appeals.ts";
import type { NewSanctionAppeal } from "./report-forms.ts";

/**
 * The viewer's appeal against their sanction and its outcome; null without one.
 * @throws `not-signed-in`
 */
export async function getSanctionAppeal(db: Db, viewer: Viewer): Promise<OwnAppeal | null> {
  const me = requireSignedIn(viewer);
  // A pending appeal also applies to a sanction that was renewed after the appeal.
  const appeal = await maybeOne(
    db,
    sql<OwnAppeal>`
      select r.reason as text, r.created_at as "askedAt", r.outcome, r.answer, r.resolved_at as "answeredAt"
      from reports r join sanctions s on s.person_id = r.person_id
      where r.person_id = ${me.id} and r.reporter_id = ${me.id} and r.appeal
        and (r.created_at >= s.since or r.resolved_at is null)
      order by r.created_at desc limit 1`,
  );
  return appeal ?? null;
}

/**
 * Appeals a sanction; each can be appealed once. A staff member other than the one who imposed it decides,
 * if there is one.
 * @throws `not-found` without a sanction, `conflict` for a second appeal, `not-allowed` after twenty days
 */
export async function appealSanction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewSanctionAppeal>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  // Locks the person: concurrent appeals and lifts of the sanction run one after the other.
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const sanction = await getOwnSanction(tx, me, tx.now);
  if (!sanction) throw notFound();
  if (await getSanctionAppeal(tx, me))
    throw new Refusal("conflict", "You have already appealed. An appeal can be made once.");
  if (!appealRules.askOfSanction(me, { since: sanction.since, asked: false }, tx.now))
    throw new Refusal("not-allowed", "The 20 days to appeal have passed.");
  const id = tx.newId();
  await run(
    tx,
    sql`insert into reports (id, reporter_id, person_id, reason, appeal, created_at)
      values (${id}, ${me.id}, ${me.id}, ${input.text}, true, ${tx.now})`,
  );
  await emit(tx, { type: "report.created", reportId: id, by: me.id });
  return { id };
}
