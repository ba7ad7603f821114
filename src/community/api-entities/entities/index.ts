import { Conversations, Messages, Participants } from "./conversation-entities.ts";
import { Groups, Memberships } from "./group-entities.ts";
import { Collections, Comments, Resources } from "./resource-entities.ts";
import { Notifications } from "./notification-entities.ts";
import { Blocks, Friendships, Users } from "./people-entities.ts";
import { Bookmarks, Discussions, Posts, Reactions } from "./discussion-entities.ts";
import type { ApiEntity } from "./entity.ts";

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
];
