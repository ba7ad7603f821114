import { conversationServices } from "./conversation-services.ts";
import { discussionServices } from "./discussion-services.ts";
import { groupServices } from "./group-services.ts";
import { libraryServices } from "./library-services.ts";
import { notificationServices } from "./notification-services.ts";
import { peopleServices } from "./people-services.ts";
import type { CommunityService } from "./define-service.ts";

export { inputSchemaOf } from "./service-schema.ts";
export { updateRecord, createRecord, removeRecord, unsupportedReason } from "./save-record.ts";
export type { CommunityService, CommandContext } from "./define-service.ts";

/** Every command that API clients can call, with its input and description. */
export const COMMUNITY_SERVICES: readonly CommunityService[] = [
  ...peopleServices,
  ...groupServices,
  ...discussionServices,
  ...conversationServices,
  ...libraryServices,
  ...notificationServices,
];
