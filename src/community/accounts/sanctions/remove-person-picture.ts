import { maybeOne, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { toStorableText } from "#community/common";
import { LIMITS, personRules, type SignedIn } from "#community/rules";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { sendAccountMail } from "../emails/send-account-mail.ts";

export type PictureRemoval = { personId: string; which: "photo" | "header"; reason: string };

/**
 * Removes another person's photo or header and mails them the reason.
 * @throws `not-found` for all but admins and where there is no such picture, `invalid` without a reason
 */
export const removePersonPicture = (
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: SignedIn,
  { personId, which, reason: words }: PictureRemoval,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    if (!isId(personId) || !personRules.removePicture(viewer, { id: personId })) throw notFound();
    const reason = toStorableText(words).trim().slice(0, LIMITS.reason);
    if (reason === "") throw invalid("reason", "Enter a reason. The person will read it.");
    const [id, alt] = [sql.ref(`${which}_id`), sql.ref(`${which}_alt`)];
    const taken = await maybeOne(
      tx,
      sql<{
        uploadId: string;
      }>`select ${id} as "uploadId" from people where id = ${personId} and ${id} is not null for update`,
    );
    if (!taken) throw notFound();
    await run(
      tx,
      sql`update people set ${id} = null, ${alt} = '', updated_at = ${tx.now} where id = ${personId}`,
    );
    await run(
      tx,
      sql`update uploads set attached_kind = null, attached_id = null where id = ${taken.uploadId}`,
    );
    await writeAudit(tx, viewer, { act: `person.${which}-removed`, kind: "person", id: personId, reason });
    await sendAccountMail(tx, "pictureTaken", personId, { reason });
    await emit(tx, { type: "person.changed", personId });
  });
