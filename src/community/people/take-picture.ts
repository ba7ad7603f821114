import { maybeOne, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { invalid, notFound } from "#platform/refusal";
import { audit } from "#community/audit";
import { storable } from "#community/common";
import { LIMITS, personRules, type SignedIn } from "#community/rules";
import type { House } from "./house.ts";
import { write } from "./write.ts";

export type Taken = { personId: string; which: "photo" | "header"; reason: string };

/**
 * Removes another person's photo or header and mails them the reason.
 * @throws `not-found` for all but admins and where there is no such picture, `invalid` without a reason
 */
export const takePicture = (house: House, viewer: SignedIn, { personId, which, reason: words }: Taken): Promise<void> =>
  house.inTransaction(async (tx) => {
    if (!isId(personId) || !personRules.takePicture(viewer, { id: personId })) throw notFound();
    const reason = storable(words).trim().slice(0, LIMITS.reason);
    if (reason === "") throw invalid("reason", "Say why: they are told.");
    const [id, alt] = [sql.ref(`${which}_id`), sql.ref(`${which}_alt`)];
    const taken = await maybeOne(
      tx,
      sql<{ uploadId: string }>`select ${id} as "uploadId" from people where id = ${personId} and ${id} is not null for update`,
    );
    if (!taken) throw notFound();
    await run(tx, sql`update people set ${id} = null, ${alt} = '', updated_at = ${tx.now} where id = ${personId}`);
    await run(tx, sql`update uploads set attached_kind = null, attached_id = null where id = ${taken.uploadId}`);
    await audit(tx, viewer, { act: `person.${which}-taken`, kind: "person", id: personId, reason });
    await write(tx, "pictureTaken", personId, { reason });
    await announce(tx, { type: "person.changed", personId });
  });
