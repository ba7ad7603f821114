import { Conversations, Messages, Participants } from "./conversations.ts";
import { Groups, Memberships } from "./groups.ts";
import { Collections, Comments, Resources } from "./library.ts";
import { Notifications } from "./notifications.ts";
import { Blocks, Friendships, Users } from "./people.ts";
import { Bookmarks, Discussions, Posts, Reactions } from "./talk.ts";
import type { ApiEntity } from "./noun.ts";

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
