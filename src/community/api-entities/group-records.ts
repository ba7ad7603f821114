import { sql } from "#platform/database";
import { type GroupFacts, type GroupRole, groupRules } from "#community/rules";
import { groupSubscriberColumns } from "./subscriber-facts.ts";
import { toMilliseconds, defineRecordReader } from "./api-record.ts";

type GroupRow = {
  id: string;
  createdBy: string | null;
  createdAt: Date;
  name: string;
  slug: string;
  purpose: string;
  membersCount: number;
};

export const readGroups = defineRecordReader<GroupRow, { unsigned: boolean }>({
  select: ({ ids }, people) => sql`
    select g.id, g.created_by as "createdBy", g.created_at as "createdAt", g.name, g.slug, g.purpose,
      g.members_count as "membersCount",
      ${groupSubscriberColumns(people, sql`g.created_by`, "g")}
    from groups g where g.id = ${ids.objectId}`,
  see(_row, { viewer, group, blocksViewer }, { event }) {
    // A deletion is reported to subscribers who could read the group before its deletion.
    const until = event === "deleted" ? { ...group, state: "active" as const } : group;
    return groupRules.see(viewer, until) ? { unsigned: blocksViewer } : null;
  },
  record: (row, { unsigned }) => ({
    ___class: "Groups",
    objectId: row.id,
    ownerId: unsigned ? null : row.createdBy,
    created: toMilliseconds(row.createdAt),
    updated: null,
    name: row.name,
    slug: row.slug,
    purpose: row.purpose,
    visibility: row.group.visibility,
    joinPolicy: row.group.joinPolicy,
    state: row.group.state,
    membersCount: row.membersCount,
  }),
});

type MembershipRow = {
  groupId: string;
  personId: string;
  state: NonNullable<GroupFacts["viewerState"]>;
  role: GroupRole;
  joinedAt: Date | null;
  changedAt: Date;
};

/** States of former members. People who could see them in the group learn that they left. */
const FORMER_STATES = ["left", "removed", "banned"];

/**
 * Reads memberships for people who may see the member list; pending memberships only for the person and the
 * moderators.
 */
export const readMemberships = defineRecordReader<MembershipRow, Record<string, never>>({
  select: ({ ids }, people) => sql`
    select s.group_id as "groupId", s.person_id as "personId", s.state, s.role, s.joined_at as "joinedAt",
      s.changed_at as "changedAt",
      ${groupSubscriberColumns(people, sql`s.person_id`, "g")}
    from memberships s join groups g on g.id = s.group_id
    where s.group_id = ${ids["groupId"]} and s.person_id = ${ids["personId"]}`,
  see(row, { viewer, group, blocksViewer }, { event }) {
    if (viewer.id === row.personId) return {};
    if (blocksViewer) return null;
    const inside = row.state === "member" || (event === "deleted" && FORMER_STATES.includes(row.state));
    return (inside ? groupRules.seeMembers(viewer, group) : groupRules.approveMembers(viewer, group))
      ? {}
      : null;
  },
  record: (row, _how, { ids }) => ({
    ___class: "Memberships",
    objectId: ids.objectId,
    ownerId: row.personId,
    created: toMilliseconds(row.joinedAt),
    updated: toMilliseconds(row.changedAt),
    groupId: row.groupId,
    personId: row.personId,
    state: row.state,
    role: row.role,
  }),
});
