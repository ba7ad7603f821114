import { sql } from "#platform/database";
import { blockersOf } from "#community/friends";
import { groupLed, groupReadable, groupVisible, pastBlocks, viewersTie } from "#community/groups";
import { isSignedIn, isStaff, type Viewer } from "#community/rules";
import { keptFrom } from "./blocks.ts";
import { at, boolean, common, compound, date, int, json, one, type Piece, type PublishedNoun, ref, several, string, text } from "./noun.ts";

export const Groups: PublishedNoun = {
  name: "Groups",
  view: "groups",
  about: "Groups, to whoever may know of them.",
  columns: [
    ...common(ref("objectId"), founder),
    string("name"),
    string("slug"),
    string("purpose"),
    text("about"),
    string("topic"),
    json("rules"),
    string("visibility"),
    string("joinPolicy"),
    string("historyPolicy"),
    string("state"),
    int("membersCount"),
    date("lastActiveAt"),
  ],
  relations: [
    several("memberships", "Memberships", "group_id"),
    several("discussions", "Discussions", "group_id"),
    several("resources", "Resources", "group_id"),
    several("collections", "Collections", "group_id"),
  ],
  visible: (viewer, alias) => inGroup(viewer, at(alias, "object_id"), groupVisible),
};

/** The group `g` exists and a condition holds, with the viewer's membership `m`. */
export const inGroup = (viewer: Viewer, id: Piece, holds: Piece): Piece =>
  sql`exists (select from groups g ${viewersTie(viewer)} where g.id = ${id} and ${holds})`;

function founder(viewer: Viewer, alias: string): Piece {
  if (isStaff(viewer)) return at(alias, "owner_id");
  return sql`case when ${at(alias, "owner_id")} <> all(${blockersOf(viewer)}) or exists (
    select from memberships m where m.group_id = ${at(alias, "object_id")} and m.person_id = ${viewer.id}::uuid and ${pastBlocks})
    then ${at(alias, "owner_id")} end`;
}

const own = (viewer: Viewer, alias: string): Piece => sql`${at(alias, "person_id")} is not distinct from ${viewer.id}::uuid`;
const onlyOwn = (column: string) => (viewer: Viewer, alias: string) => sql`case when ${own(viewer, alias)} then ${at(alias, column)} end`;

export const Memberships: PublishedNoun = {
  name: "Memberships",
  view: "memberships",
  about:
    "Who is in a group, to its readers who are signed in. Who asks, is invited or kept out, to themselves and those who look after the group.",
  columns: [
    ...common(compound(["group_id", "id"], ["person_id", "id"])),
    ref("groupId"),
    ref("personId"),
    string("state"),
    string("role"),
    string("notifyLevel", onlyOwn("notify_level")),
    string("reason", onlyOwn("reason")),
    date("bannedUntil", onlyOwn("banned_until")),
    boolean("mine", own),
  ],
  relations: [one("group", "Groups", "group_id"), one("person", "Users", "person_id")],
  visible(viewer, alias) {
    const state = at(alias, "state");
    const others = sql`(not ${keptFrom(viewer, alias)} and ${inGroup(
      viewer,
      at(alias, "group_id"),
      sql`case when ${state} = 'member' then ${groupReadable} else ${state} in ('requested', 'invited', 'banned') and ${groupLed} end`,
    )})`;
    return isSignedIn(viewer) ? sql`(${own(viewer, alias)} or ${others})` : own(viewer, alias);
  },
};
