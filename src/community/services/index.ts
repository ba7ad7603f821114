import { conversationServices } from "./conversations.ts";
import { discussionServices } from "./discussions.ts";
import { groupServices } from "./groups.ts";
import { libraryServices } from "./library.ts";
import { notificationServices } from "./notifications.ts";
import { peopleServices } from "./people.ts";
import type { CommunityService } from "./service.ts";

export { schemaOf } from "./schema.ts";
export { changeRecord, createRecord, removeRecord, whyNot } from "./saving.ts";
export type { CommunityService, Hand } from "./service.ts";

/** Every verb that programs may call, with what it takes and what it does. */
export const COMMUNITY_SERVICES: readonly CommunityService[] = [
  ...peopleServices,
  ...groupServices,
  ...discussionServices,
  ...conversationServices,
  ...libraryServices,
  ...notificationServices,
];
