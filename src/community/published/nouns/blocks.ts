import { sql } from "#platform/database";
import { blockersOf } from "#community/friends";
import { pastBlocks } from "#community/groups";
import { isStaff, type Viewer } from "#community/rules";
import { at, type Piece } from "./noun.ts";

/**
 * Whether a block hides the row's owner in the group `group_id` from the viewer: not from moderators and
 * staff.
 */
export const keptFrom = (viewer: Viewer, alias: string, owner = "owner_id"): Piece =>
  isStaff(viewer)
    ? sql`false`
    : sql`(${at(alias, owner)} = any(${blockersOf(viewer)}) and not exists (
        select from memberships m where m.group_id = ${at(alias, "group_id")} and m.person_id = ${viewer.id}::uuid and ${pastBlocks}))`;

/** The owner, if the viewer may know. */
export const unlessKept = (viewer: Viewer, alias: string, what = "owner_id"): Piece =>
  sql`case when not ${keptFrom(viewer, alias)} then ${at(alias, what)} end`;
