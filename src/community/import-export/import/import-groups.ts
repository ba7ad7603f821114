import { many, run, sql } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { isAccountUnlisted } from "#community/common";
import { createSlug } from "#community/groups";
import { LIMITS } from "#community/rules";
import { countCharacters } from "../archive/record-fields.ts";
import type { Row } from "../bulk-insert.ts";
import {
  type Batch,
  type Entry,
  assignIds,
  formatSourceId,
  listExistingRelationships,
  scheduleWakeUps,
  writeRows,
} from "./import-batch.ts";
import { storeOldPaths } from "./old-paths.ts";
import { toScheduledVisibility, createVisibilityColumns } from "./import-visibility-changes.ts";
import { countRelationships } from "./import-relationships.ts";

/**
 * Imports groups. The importing admin becomes an additional owner, because an imported account cannot
 * moderate.
 */
export async function importGroups(batch: Batch, entries: Entry<"group">[]): Promise<void> {
  const fresh = await assignIds(batch, "groups", entries, (it) => it);
  for (const it of fresh) {
    // Slugs are created one by one, so that two groups of one name get different slugs.
    const slug = await createSlug(batch.tx, {
      id: it.id,
      name: it.record.slug ?? it.record.name,
      // A slug in the archive is kept even for a secret group, so that exporting and importing a community
      // preserves its addresses.
      hidden: it.record.visibility === "secret" && it.record.slug === undefined,
    });
    await writeRows(batch, "groups", [createGroupRow(batch, it, slug)]);
  }
  await scheduleWakeUps(
    batch,
    fresh.map((it) => toScheduledVisibility(batch, it.record)?.at),
  );
  const { byId } = batch.run;
  if (byId)
    await writeRows(
      batch,
      "memberships",
      fresh.map(({ id }) => createOwnerRow(id, byId, batch.tx.now)),
    );
  await writeRows(
    batch,
    "group_rule_versions",
    fresh.flatMap((it) => createFormerRulesRows(batch, it)),
  );
  await storeOldPaths(batch, "group", fresh);
  await refreshMemberCounts(
    batch,
    fresh.map(({ id }) => id),
  );
}

const createGroupRow = (
  batch: Batch,
  { id, record: it }: Entry<"group"> & { id: string },
  slug: string,
): Row => ({
  id,
  slug,
  name: countCharacters(it.name) < LIMITS.groupName.min ? `${it.name} …` : it.name,
  purpose: it.purpose,
  about_md: it.about,
  about_html: renderMarkdown(it.about),
  topic: it.topic,
  visibility: it.visibility,
  join_policy: it.visibility === "secret" ? "invite" : it.joinPolicy,
  history_policy: it.historyPolicy,
  shared_from: it.historyPolicy === "shared" ? (it.sharedFrom ?? null) : null,
  // Archiving does not approve a pending group.
  state: it.state === "active" && it.archivedAt ? "archived" : it.state,
  archived_at: it.state === "active" ? (it.archivedAt ?? null) : null,
  replies_by: it.repliesBy,
  starts_by: it.startsBy,
  events_by: it.eventsBy,
  invites_by: it.invitesBy,
  header_style: it.headerStyle,
  header_alt: it.headerAlt,
  photo_alt: it.photoAlt,
  rules: it.rules,
  rules_version: it.rulesVersion,
  rules_changed_at: it.rulesChangedAt ?? null,
  questions: it.questions,
  created_by: (it.owner && batch.names.of("user", it.owner)) ?? batch.run.byId,
  created_at: it.createdAt ?? batch.tx.now,
  last_active_at: it.lastActiveAt ?? it.createdAt ?? batch.tx.now,
  members_count: 0,
  ...createVisibilityColumns(batch, it),
});

const createFormerRulesRows = (batch: Batch, { id, record }: Entry<"group"> & { id: string }): Row[] =>
  record.formerRules
    .filter(({ version }) => version < record.rulesVersion)
    .map(({ version, rules, at, by }) => ({
      group_id: id,
      version,
      rules,
      replaced_at: at,
      replaced_by: (by && batch.names.of("user", by)) ?? null,
    }));

const createOwnerRow = (group: string, person: string, at: Date): Row => ({
  group_id: group,
  person_id: person,
  state: "member",
  role: "owner",
  answers: [],
  notify_level: "highlights",
  joined_at: at,
  changed_at: at,
});

/**
 * Imports memberships. Existing memberships stay unchanged. For people with an account here the joining date
 * is now; otherwise years of discussions would be unread.
 */
export async function importMemberships(batch: Batch, entries: Entry<"membership">[]): Promise<void> {
  const ties = entries.map(
    ({ record }) => [batch.names.of("group", record.group)!, batch.names.of("user", record.user)!] as const,
  );
  const standing = await listExistingRelationships(batch, "memberships", ["group_id", "person_id"], ties);
  const ghosts = new Set(
    (
      await many(
        batch.tx,
        sql<{
          id: string;
        }>`select id from people where id = any(${ties.map(([, person]) => person)}::uuid[])
          and state in ('ghost', 'erased')`,
      )
    ).map(({ id }) => id),
  );
  const rows = entries.map(({ record: it }, i): Row => {
    const [group, person] = ties[i]!;
    batch.names.add("membership", formatSourceId(it), {
      localId: group,
      otherId: person,
      made: !standing.has(`${group} ${person}`),
    });
    const joinedAt = ghosts.has(person) ? it.createdAt : undefined;
    const joined = joinedAt ?? (it.state === "member" ? batch.tx.now : null);
    return {
      group_id: group,
      person_id: person,
      state: it.state,
      role: it.role,
      answers: it.answers,
      notify_level: it.notifyLevel,
      reason: it.reason,
      invited_by: (it.invitedBy && batch.names.of("user", it.invitedBy)) ?? null,
      banned_by: (it.bannedBy && batch.names.of("user", it.bannedBy)) ?? null,
      pinned_at: it.pinnedAt ?? null,
      banned_until: it.bannedUntil ?? null,
      joined_at: joined,
      changed_at: it.changedAt ?? joined ?? batch.tx.now,
    };
  });
  await writeRows(batch, "memberships", rows);
  await scheduleWakeUps(
    batch,
    entries.map(({ record }) => record.bannedUntil),
  );
  await refreshMemberCounts(batch, [...new Set(rows.map((row) => String(row["group_id"])))]);
  countRelationships(
    batch,
    "membership",
    ties.map((tie) => standing.has(tie.join(" "))),
  );
}

export async function refreshMemberCounts(
  batch: Pick<Batch, "tx" | "check">,
  groups: string[],
): Promise<void> {
  if (batch.check || groups.length === 0) return;
  await run(
    batch.tx,
    sql`update groups set members_count = (
          select count(*) from memberships m join people p on p.id = m.person_id and not ${isAccountUnlisted("p")}
          where m.group_id = groups.id and m.state = 'member')
        where id = any(${groups}::uuid[])`,
  );
}
