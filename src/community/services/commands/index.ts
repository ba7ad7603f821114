import type { RecordCommands } from "./record-commands.ts";
import { Attendances, Events } from "./calendar-commands.ts";
import { Conversations, Messages, Participants } from "./conversation-commands.ts";
import { Bookmarks, Discussions, Posts, Reactions } from "./discussion-commands.ts";
import { Groups, Memberships } from "./group-commands.ts";
import { Collections, Comments, Notifications, Resources } from "./library-commands.ts";
import { Blocks, Friendships, Users } from "./people-commands.ts";

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
  Events,
  Attendances,
  Conversations,
  Participants,
  Messages,
  Resources,
  Comments,
  Collections,
  Notifications,
};
