import { sql } from "#platform/database";
import { blockerIds } from "#community/friends";
import { isGroupModerator } from "#community/groups";
import { isStaff, type Viewer } from "#community/rules";
import { columnRef, type SqlFragment } from "./entity.ts";

/**
 * Whether a block hides the row's owner from the viewer in the group `group_id`. Moderators and staff see
 * the owner.
 */
export const isOwnerBlocked = (viewer: Viewer, alias: string): SqlFragment =>
  isStaff(viewer)
    ? sql`false`
    : sql`(${columnRef(alias, "owner_id")} = any(${blockerIds(viewer)}) and not exists (
        select from memberships m
        where m.group_id = ${columnRef(alias, "group_id")} and m.person_id = ${viewer.id}::uuid
          and ${isGroupModerator("m")}))`;

/** The owner column, or null if a block hides the owner from the viewer. */
export const unlessOwnerBlocked = (viewer: Viewer, alias: string, what = "owner_id"): SqlFragment =>
  sql`case when not ${isOwnerBlocked(viewer, alias)} then ${columnRef(alias, what)} end`;
