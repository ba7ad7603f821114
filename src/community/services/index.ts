import { conversationServices } from "./conversations.ts";
import { discussionServices } from "./discussions.ts";
import { groupServices } from "./groups.ts";
import { libraryServices } from "./library.ts";
import { notificationServices } from "./notifications.ts";
import { peopleServices } from "./people.ts";
import type { CommunityService } from "./service.ts";

export { inputSchemaOf } from "./schema.ts";
export { updateRecord, createRecord, removeRecord, unsupportedReason } from "./saving.ts";
export type { CommunityService, CommandContext } from "./service.ts";

/** Every command that API clients can call, with its input and description. */
export const COMMUNITY_SERVICES: readonly CommunityService[] = [
  ...peopleServices,
  ...groupServices,
  ...discussionServices,
  ...conversationServices,
  ...libraryServices,
  ...notificationServices,
];
