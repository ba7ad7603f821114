import { Conversations, Messages, Participants } from "./conversation-entities.ts";
import { Groups, Memberships } from "./group-entities.ts";
import { Collections, Comments, Resources } from "./resource-entities.ts";
import { Notifications } from "./notification-entities.ts";
import { Blocks, Friendships, Users } from "./people-entities.ts";
import { Bookmarks, Discussions, Posts, Reactions } from "./discussion-entities.ts";
import { assertTokenScope } from "#community/common";
import { tokenRules } from "#community/rules";
import type { ApiEntity } from "./entity.ts";

/**
 * Adds the check of token scopes to the condition that every query of an entity contains, also of an entity
 * that is reached through a relation.
 */
const withTokenScope = (entity: ApiEntity): ApiEntity => ({
  ...entity,
  visible(viewer, alias) {
    assertTokenScope(viewer, tokenRules.entityArea(entity.name), "read");
    return entity.visible(viewer, alias);
  },
});

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
  Conversations,
  Participants,
  Messages,
  Resources,
  Comments,
  Collections,
  Notifications,
].map(withTokenScope);
