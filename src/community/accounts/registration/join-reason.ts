import { maybeOne, run, sql } from "#platform/database";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { toStorableText } from "#community/common";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { type PendingRegistration, readPendingRegistration } from "./pending-registration.ts";
import { MAX_JOIN_REASON } from "./onboarding.ts";

const lacksJoinReason = sql`state = 'pending_approval' and join_reason = ''`;

/** Returns whether the registration waits for approval without a join reason. */
export async function needsJoinReason(
  app: Pick<AccountsContext, "database" | "now" | "sealer">,
  sealed: string,
): Promise<boolean> {
  const pending = tryReadPending(app, sealed);
  return (
    pending !== null &&
    (await maybeOne(
      app.database.db,
      sql`select from people where id = ${pending.id} and ${lacksJoinReason}`,
    )) !== undefined
  );
}

/**
 * Stores the join reason for the people who approve registrations, once.
 * @throws `invalid` on `reason`, `gone` when the registration is no longer pending
 */
export async function saveJoinReason(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "sealer">,
  sealed: string,
  words: string,
): Promise<void> {
  const { id } = readPendingRegistration(app, sealed);
  const reason = toStorableText(words).trim();
  if (reason === "") throw invalid("reason", "Tell the moderators a little about yourself.");
  if (reason.length > MAX_JOIN_REASON)
    throw invalid("reason", msg("At most {count} characters.", { count: MAX_JOIN_REASON }));
  const updated = await inAccountTransaction(app, (tx) =>
    run(tx, sql`update people set join_reason = ${reason} where id = ${id} and ${lacksJoinReason}`),
  );
  if (updated === 0)
    throw new Refusal("gone", "You have already answered, or your registration has been decided.");
}

function tryReadPending(
  app: Pick<AccountsContext, "now" | "sealer">,
  sealed: string,
): PendingRegistration | null {
  try {
    return readPendingRegistration(app, sealed);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
