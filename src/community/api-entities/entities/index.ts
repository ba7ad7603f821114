import { Conversations, Messages, Participants } from "./conversation-entities.ts";
import { Attendances, Events } from "./event-entities.ts";
import { Groups, Memberships } from "./group-entities.ts";
import { Collections, Comments, Resources } from "./resource-entities.ts";
import { Notifications } from "./notification-entities.ts";
import { Blocks, Friendships, Users } from "./people-entities.ts";
import { Bookmarks, Discussions, Posts, Reactions } from "./discussion-entities.ts";
import { assertTokenScope } from "#community/common";
import { tokenRules } from "#community/rules";
import { sql } from "#platform/database";
import { type ApiEntity, columnRef, type SqlFragment } from "./entity.ts";

/**
 * Adds the check of token scopes to the condition that every query of an entity contains, also of an entity
 * that is reached through a relation.
 */
const withTokenScope = (entity: ApiEntity): ApiEntity => ({
  ...entity,
  visible(viewer, alias) {
    assertTokenScope(viewer, tokenRules.entityArea(entity.name), "read");
    const visible = entity.visible(viewer, alias);
    if (viewer.groupIds === undefined) return visible;
    return sql`(${visible} and ${belongsToGroups(entity, viewer.groupIds, alias)})`;
  },
});

/** Condition: a record belongs to one of these groups. Entities without groups have none. */
function belongsToGroups(
  { name, columns }: ApiEntity,
  groupIds: readonly string[],
  alias: string,
): SqlFragment {
  if (name !== "Groups" && !columns.some((column) => column.name === "groupId")) return sql`false`;
  return sql`${columnRef(alias, name === "Groups" ? "object_id" : "group_id")} = any(${[...groupIds]}::uuid[])`;
}

/** All community entities that API clients can read. */
export const API_ENTITIES: readonly ApiEntity[] = [
  Users,
  Friendships,
  Blocks,
  Groups,
  Memberships,
  Discussions,
  Posts,
  Reactions,
  Bookmarks,
  Events,
  Attendances,
  Conversations,
  Participants,
  Messages,
  Resources,
  Comments,
  Collections,
  Notifications,
].map(withTokenScope);
