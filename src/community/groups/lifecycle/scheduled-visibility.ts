import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import {
  type GroupFacts,
  groupRules,
  GUEST,
  type HistoryPolicy,
  type SignedIn,
  type Viewer,
  type Visibility,
} from "#community/rules";
import type { AccessPolicy } from "../update-group.ts";
import { scheduleDueChecks } from "./expiry-jobs.ts";
import { getGroupToChange } from "../group.ts";

/** Days of notice to members before a group becomes visible or readable to more people. */
export const NOTICE_DAYS = 7;
const VISIBILITY_WIDTH: Record<Visibility, number> = { secret: 0, private: 1, public: 2 };

/**
 * Whether more people could find or read the group afterwards. The join policy does not count, since it
 * changes at once.
 */
export const isWiderVisibility = (before: { visibility: Visibility }, after: { visibility: Visibility }) =>
  VISIBILITY_WIDTH[after.visibility] > VISIBILITY_WIDTH[before.visibility];

/**
 * Columns for a new history policy. Content written under the old policy keeps its visibility: sharing
 * begins with later content.
 */
export const setHistoryPolicy = (tx: Tx, policy: HistoryPolicy) => sql`
  history_policy = ${policy},
  shared_from = case when ${policy} = 'shared' then case
    when history_policy = 'from_joining' then ${tx.now}::timestamptz else shared_from end end`;

/** Schedules a wider visibility and notifies the members. Returns when it applies. */
export async function scheduleOpening(
  tx: Tx,
  me: SignedIn,
  groupId: string,
  access: AccessPolicy,
): Promise<Date> {
  const at = addMilliseconds(tx.now, NOTICE_DAYS * DAY);
  await run(
    tx,
    sql`update groups set wider_visibility = ${access.visibility}, wider_join_policy = ${access.joinPolicy},
      wider_at = ${at}, wider_by = ${me.id} where id = ${groupId}`,
  );
  await scheduleDueChecks(tx, at);
  await writeAudit(tx, me, {
    act: "group.opening_scheduled",
    kind: "group",
    id: groupId,
    details: { visibility: access.visibility, at: at.toISOString() },
  });
  await emit(tx, { type: "group.opening_scheduled", groupId, by: me.id });
  return at;
}

/**
 * Cancels a scheduled visibility change.
 * @throws `not-found`, `not-allowed` for all but owners, `conflict` where none is scheduled
 */
export async function cancelScheduledOpening(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.manage(me, group)) throw new Refusal("not-allowed", "Only owners can do this.");
  if (!(await clearScheduledOpening(tx, me, group.id)))
    throw new Refusal("conflict", "This has already been done.");
}

/** Clears a scheduled change; returns whether there was one. */
export async function clearScheduledOpening(tx: Tx, me: SignedIn, groupId: string): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update groups set wider_visibility = null, wider_join_policy = null, wider_at = null, wider_by = null
      where id = ${groupId} and wider_at is not null`,
  );
  if (changed === 0) return false;
  await writeAudit(tx, me, { act: "group.opening_cancelled", kind: "group", id: groupId });
  await emit(tx, { type: "group.opening_cancelled", groupId, by: me.id });
  return true;
}

/**
 * Columns of the history policy when a group becomes public, since everyone reads a public group's later
 * content. `g` is the group, `due` its new state.
 */
const openedHistory = (tx: Tx) => sql`
  history_policy = case when due.wider_visibility = 'public' then 'shared' else g.history_policy end,
  shared_from = case when due.wider_visibility = 'public'
    and g.history_policy = 'from_joining' then ${tx.now}::timestamptz else g.shared_from end`;

type OpenedGroup = { groupId: string; by: string | null } & Pick<
  GroupFacts,
  "visibility" | "joinPolicy" | "historyPolicy"
>;

/**
 * Applies due visibility changes, for jobs. Earlier content of a group that becomes public stays visible to
 * members only. Returns how many.
 */
export async function applyDueOpenings(tx: Tx): Promise<number> {
  const opened = await many(
    tx,
    sql<OpenedGroup>`
      with due as (
        select id, wider_visibility, wider_join_policy, wider_by from groups
        where wider_at <= ${tx.now} and state = 'active'
        order by wider_at limit 20 for update skip locked)
      update groups g set visibility = due.wider_visibility, join_policy = due.wider_join_policy,
        ${openedHistory(tx)}, wider_visibility = null, wider_join_policy = null, wider_at = null,
        wider_by = null
      from due where g.id = due.id
      returning g.id as "groupId", due.wider_by as by, g.visibility, g.join_policy as "joinPolicy",
        g.history_policy as "historyPolicy"`,
  );
  for (const { groupId, by, ...access } of opened) {
    await restrictContentToMembers(tx, groupId, access.visibility);
    await writeAudit(
      tx,
      { ...GUEST, id: by },
      { act: "group.opened", kind: "group", id: groupId, details: access },
    );
    await emit(tx, { type: "group.opened", groupId, by });
  }
  return opened.length;
}

const GROUP_CONTENT_TABLES = ["discussions", "resources", "collections", "calendar_events"] as const;

/** Restricts content to members when a group becomes public: it was written for the members. */
export async function restrictContentToMembers(
  tx: Tx,
  groupId: string,
  visibility: Visibility,
): Promise<void> {
  if (visibility !== "public") return;
  for (const table of GROUP_CONTENT_TABLES)
    await run(
      tx,
      sql`update ${sql.table(table)} set audience = 'members'
        where group_id = ${groupId} and audience = 'group'`,
    );
}
