import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import type { SignedIn } from "#community/rules";
import { lockGroup } from "../group.ts";
import { clearScheduledOpening } from "./scheduled-visibility.ts";

/**
 * Archives a group for another reason than a decision of its owners; the caller checks permission. Cancels a
 * scheduled visibility change; `reason` is written to the log.
 * @throws `conflict` for a group that is not active
 */
export async function forceArchiveGroup(
  tx: Tx,
  me: SignedIn,
  { groupId, reason = null }: { groupId: string; reason?: string | null },
): Promise<void> {
  await lockGroup(tx, groupId);
  const resting = await run(
    tx,
    sql`update groups set state = 'archived', archived_at = ${tx.now}, archived_by = ${me.id}
      where id = ${groupId} and state = 'active'`,
  );
  if (resting === 0) throw new Refusal("conflict", "This has already been done.");
  await clearScheduledOpening(tx, me, groupId);
  await writeAudit(tx, me, { act: "group.archived", kind: "group", id: groupId, reason });
  await emit(tx, { type: "group.archived", groupId, by: me.id });
}
