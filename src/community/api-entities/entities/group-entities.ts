import { sql } from "#platform/database";
import { blockerIds } from "#community/friends";
import { isGroupModerator, isGroupReadable, isGroupVisible, viewerMembership } from "#community/groups";
import { isSignedIn, isStaff, type Viewer } from "#community/rules";
import { isOwnerBlocked } from "./blocked-owners.ts";
import {
  columnRef,
  booleanColumn,
  commonColumns,
  compoundIdColumn,
  dateColumn,
  intColumn,
  jsonColumn,
  toOne,
  type SqlFragment,
  type ApiEntity,
  idColumn,
  toMany,
  stringColumn,
  textColumn,
} from "./entity.ts";

export const Groups: ApiEntity = {
  name: "Groups",
  view: "groups",
  about: "Groups that the viewer may know of.",
  columns: [
    ...commonColumns(idColumn("objectId"), groupOwner),
    stringColumn("name"),
    stringColumn("slug"),
    stringColumn("purpose"),
    textColumn("about"),
    stringColumn("topic"),
    jsonColumn("rules"),
    stringColumn("visibility"),
    stringColumn("joinPolicy"),
    stringColumn("historyPolicy"),
    stringColumn("state"),
    intColumn("membersCount"),
    dateColumn("lastActiveAt"),
  ],
  relations: [
    toMany("memberships", "Memberships", "group_id"),
    toMany("discussions", "Discussions", "group_id"),
    toMany("events", "Events", "group_id"),
    toMany("resources", "Resources", "group_id"),
    toMany("collections", "Collections", "group_id"),
  ],
  visible: (viewer, alias) =>
    groupExistsCondition(viewer, columnRef(alias, "object_id"), isGroupVisible("g", "m")),
};

/** Condition: the group `g` exists and `holds` is true. `m` is the viewer's membership. */
export const groupExistsCondition = (viewer: Viewer, id: SqlFragment, holds: SqlFragment): SqlFragment =>
  sql`exists (select from groups g ${viewerMembership(viewer, "g", "m")} where g.id = ${id} and ${holds})`;

function groupOwner(viewer: Viewer, alias: string): SqlFragment {
  if (isStaff(viewer)) return columnRef(alias, "owner_id");
  return sql`case when ${columnRef(alias, "owner_id")} <> all(${blockerIds(viewer)}) or exists (
    select from memberships m
    where m.group_id = ${columnRef(alias, "object_id")} and m.person_id = ${viewer.id}::uuid
      and ${isGroupModerator("m")})
    then ${columnRef(alias, "owner_id")} end`;
}

const isOwnRow = (viewer: Viewer, alias: string): SqlFragment =>
  sql`${columnRef(alias, "person_id")} is not distinct from ${viewer.id}::uuid`;
const onlyForOwn = (column: string) => (viewer: Viewer, alias: string) =>
  sql`case when ${isOwnRow(viewer, alias)} then ${columnRef(alias, column)} end`;

export const Memberships: ApiEntity = {
  name: "Memberships",
  view: "memberships",
  about:
    "Members of groups, for signed-in readers. Pending, invited and banned people are visible to " +
    "themselves and the group's moderators.",
  columns: [
    ...commonColumns(compoundIdColumn(["group_id", "id"], ["person_id", "id"])),
    idColumn("groupId"),
    idColumn("personId"),
    stringColumn("state"),
    stringColumn("role"),
    stringColumn("notifyLevel", onlyForOwn("notify_level")),
    stringColumn("reason", onlyForOwn("reason")),
    dateColumn("bannedUntil", onlyForOwn("banned_until")),
    booleanColumn("mine", isOwnRow),
  ],
  relations: [toOne("group", "Groups", "group_id"), toOne("person", "Users", "person_id")],
  visible(viewer, alias) {
    const state = columnRef(alias, "state");
    const isBot = sql`exists (select from bots b where b.person_id = ${columnRef(alias, "person_id")})`;
    const others = sql`(not ${isOwnerBlocked(viewer, alias)} and not ${isBot} and ${groupExistsCondition(
      viewer,
      columnRef(alias, "group_id"),
      sql`case when ${state} = 'member' then ${isGroupReadable("g", "m")}
        else ${state} in ('requested', 'invited', 'banned') and ${isGroupModerator("m")} end`,
    )})`;
    return isSignedIn(viewer) ? sql`(${isOwnRow(viewer, alias)} or ${others})` : isOwnRow(viewer, alias);
  },
};
