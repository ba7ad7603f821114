import { one, run, sql, type Tx } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { assertRenameLimit } from "#community/accounts";
import { checkWatchedWords, reportFlaggedText } from "#community/prevention";
import { type GroupFacts, groupRules, type SignedIn, type Viewer } from "#community/rules";
import { GROUP_TEXTS } from "./create-group.ts";
import type { GroupChange } from "./group-forms.ts";
import { type GroupToChange, getGroupToChange } from "./group.ts";
import {
  setHistoryPolicy,
  isWiderVisibility,
  restrictContentToMembers,
  clearScheduledOpening,
  scheduleOpening,
} from "./lifecycle/scheduled-visibility.ts";

export type AccessPolicy = Pick<GroupFacts, "visibility" | "joinPolicy" | "historyPolicy">;

/**
 * Changes a group's details; owners also change its access policy. A narrower visibility applies at once, a
 * wider one in seven days.
 * @throws `not-found`, `not-allowed`, `too-many` on `name`, `invalid` for an invalid access policy
 */
export async function updateGroup(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof GroupChange>,
): Promise<{ id: string; slug: string; opensAt: Date | null }> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, uncheckedInput.groupId);
  if (!groupRules.edit(me, group))
    throw new Refusal("not-allowed", "Only moderators of the group can change this.");
  const { input, flagged } = await checkWatchedWords(tx, me, uncheckedInput, GROUP_TEXTS, {
    before: await getGroupTexts(tx, group.id),
    canWait: false,
  });
  if (input.name !== undefined) await assertRenameLimit(tx, me, "groups", group.id, input.name);
  await storeGroupChange(tx, group.id, input);
  if (input.rules) await changeRules(tx, me, group.id, input.rules);
  const opensAt = await changeAccessPolicy(tx, me, group, input);
  // A declined group returns to the approval queue.
  if (group.state === "pending") await resubmitGroup(tx, me, group.id);
  const changed = Object.keys(input).filter((key) => !UNLISTED_FIELDS.includes(key));
  const details = {
    changed: changed.join(","),
    ...(input.name && input.name !== group.name && { nameBefore: group.name }),
  };
  if (changed.length > 0)
    await writeAudit(tx, me, { act: "group.changed", kind: "group", id: group.id, details });
  await emit(tx, { type: "group.changed", groupId: group.id, by: me.id });
  await reportFlaggedText(tx, me.id, flagged, { groupId: group.id });
  return { id: group.id, slug: group.slug, opensAt };
}

const getGroupTexts = (tx: Tx, groupId: string) =>
  one(
    tx,
    sql<Record<"name" | "purpose" | "about" | "topic" | "rules" | "questions", string>>`
      select name, purpose, about_md as about, topic, rules::text, questions::text from groups
      where id = ${groupId}`,
  );

async function resubmitGroup(tx: Tx, me: SignedIn, groupId: string): Promise<void> {
  const again = await run(
    tx,
    sql`update memberships set reason = ''
      where group_id = ${groupId} and person_id = ${me.id} and reason <> ''`,
  );
  if (again > 0) await emit(tx, { type: "group.pending", groupId, by: me.id });
}

/**
 * Fields that the log entry does not list: the id, and the access policy, whose changes have their own
 * entry.
 */
const UNLISTED_FIELDS = ["groupId", "visibility", "joinPolicy", "historyPolicy"];

const storeGroupChange = (tx: Tx, groupId: string, input: z.output<typeof GroupChange>) =>
  run(
    tx,
    sql`update groups set name = coalesce(${input.name ?? null}, name),
      purpose = coalesce(${input.purpose ?? null}, purpose),
          about_md = coalesce(${input.about ?? null}, about_md),
          about_html = coalesce(${input.about === undefined ? null : renderMarkdown(input.about)},
            about_html),
          topic = coalesce(${input.topic ?? null}, topic),
          header_style = coalesce(${input.headerStyle ?? null}, header_style),
          questions = coalesce(${input.questions ? JSON.stringify(input.questions) : null}::jsonb, questions),
          replies_by = coalesce(${input.repliesBy ?? null}, replies_by),
          starts_by = coalesce(${input.startsBy ?? null}, starts_by),
          events_by = coalesce(${input.eventsBy ?? null}, events_by),
          invites_by = coalesce(${input.invitesBy ?? null}, invites_by)
        where id = ${groupId}`,
  );

/** Stores a new version if the rules differ. Previous versions are kept. */
async function changeRules(tx: Tx, me: SignedIn, groupId: string, rules: string[]): Promise<void> {
  const now = JSON.stringify(rules);
  const kept = await run(
    tx,
    sql`insert into group_rule_versions (group_id, version, rules, replaced_at, replaced_by)
        select id, rules_version, rules, ${tx.now}, ${me.id} from groups
        where id = ${groupId} and rules <> ${now}::jsonb`,
  );
  if (kept > 0)
    await run(
      tx,
      sql`update groups set rules = ${now}::jsonb, rules_version = rules_version + 1,
        rules_changed_at = ${tx.now} where id = ${groupId}`,
    );
}

/** Changes the access policy. Returns when a wider visibility applies; null if everything applies at once. */
async function changeAccessPolicy(
  tx: Tx,
  me: SignedIn,
  group: GroupToChange,
  input: z.output<typeof GroupChange>,
): Promise<Date | null> {
  const access = resultingAccessPolicy(group, input);
  if (!access) return null;
  if (!groupRules.manage(me, group))
    throw new Refusal("not-allowed", "Only owners can change visibility, joining and history.");
  if (isWiderVisibility(group, access) && group.membersCount > 1) {
    // If the group becomes public, its history policy changes only at that time.
    if (access.visibility !== "public")
      await run(
        tx,
        sql`update groups set ${setHistoryPolicy(tx, access.historyPolicy)} where id = ${group.id}`,
      );
    return scheduleOpening(tx, me, group.id, access);
  }
  // A scheduled change stays scheduled unless the visibility changes now.
  if (access.visibility !== group.visibility) await clearScheduledOpening(tx, me, group.id);
  await run(
    tx,
    sql`update groups set visibility = ${access.visibility}, join_policy = ${access.joinPolicy},
      ${setHistoryPolicy(tx, access.historyPolicy)} where id = ${group.id}`,
  );
  if (isWiderVisibility(group, access)) await restrictContentToMembers(tx, group.id, access.visibility);
  await writeAudit(tx, me, {
    act: "group.access_changed",
    kind: "group",
    id: group.id,
    details: { ...access, ...previousAccessPolicy(group) },
  });
  return null;
}

/** The previous access policy as fields for the log, beside those of the new one. */
const previousAccessPolicy = ({ visibility, joinPolicy, historyPolicy }: AccessPolicy) => ({
  visibilityBefore: visibility,
  joinPolicyBefore: joinPolicy,
  historyPolicyBefore: historyPolicy,
});

/** The complete access policy after the change; undefined if it does not change. */
function resultingAccessPolicy(
  group: GroupToChange,
  input: z.output<typeof GroupChange>,
): AccessPolicy | undefined {
  const visibility = input.visibility ?? group.visibility;
  const joinPolicy = input.joinPolicy ?? (visibility === "secret" ? "invite" : group.joinPolicy);
  const historyPolicy = input.historyPolicy ?? group.historyPolicy;
  if (
    visibility === group.visibility &&
    joinPolicy === group.joinPolicy &&
    historyPolicy === group.historyPolicy
  )
    return undefined;
  if (visibility === "secret" && joinPolicy !== "invite")
    throw invalid("joinPolicy", "Secret groups are invite only.");
  if (visibility === "public" && historyPolicy !== "shared" && historyPolicy !== group.historyPolicy)
    throw invalid("historyPolicy", "New members of a public group can read its whole history.");
  return { visibility, joinPolicy, historyPolicy };
}
