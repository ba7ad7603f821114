import { maybeOne, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { findFlaggedWords, reportFlaggedText } from "#community/prevention";
import type { AccountsContext, AccountTx } from "../accounts-context.ts";

/**
 * Opens a confirmed account, or puts it into the approval queue, as the settings say, or because it was
 * registered without the required proof of work.
 */
export async function activateOrQueueAccount(
  tx: AccountTx,
  personId: string,
): Promise<"active" | "pending_approval"> {
  const asked = tx.site.registration === "approval" ? "pending_approval" : "active";
  const opened = await maybeOne(
    tx,
    sql<{ state: "active" | "pending_approval"; name: string; username: string }>`
      update people set state = case when needs_approval then 'pending_approval' else ${asked} end,
        updated_at = ${tx.now}
      where id = ${personId} and state = 'unverified' returning state, display_name as name, username`,
  );
  const state = opened?.state ?? asked;
  const type = state === "active" ? "person.joined" : "person.awaits-approval";
  await emit(tx, { type, personId });
  if (opened) await reportFlaggedText(tx, personId, await findFlaggedWords(tx, opened), { personId });
  return state;
}

type PersonState = { state: string };

/** Confirms the address of a person who opened a link from their mailbox. */
export async function markEmailConfirmed(
  { accountHooks }: Pick<AccountsContext, "accountHooks">,
  tx: AccountTx,
  personId: string,
): Promise<void> {
  const person = await maybeOne(
    tx,
    sql<PersonState>`
    update people set email_confirmed_at = coalesce(email_confirmed_at, ${tx.now}) where id = ${personId}
    returning state`,
  );
  if (person?.state === "unverified") await activateOrQueueAccount(tx, personId);
  await accountHooks.afterConfirming?.(tx, personId);
}
