import type { RecordCommands } from "./act.ts";
import { Conversations, Messages, Participants } from "./conversations.ts";
import { Bookmarks, Discussions, Posts, Reactions } from "./discussions.ts";
import { Groups, Memberships } from "./groups.ts";
import { Collections, Comments, Notifications, Resources } from "./library.ts";
import { Blocks, Friendships, Users } from "./people.ts";

export const COMMANDS_BY_ENTITY: Record<string, RecordCommands> = {
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
};
