import { calendarServices } from "./calendar-services.ts";
import { conversationServices } from "./conversation-services.ts";
import { discussionServices } from "./discussion-services.ts";
import { groupServices } from "./group-services.ts";
import { libraryServices } from "./library-services.ts";
import { notificationServices } from "./notification-services.ts";
import { peopleServices } from "./people-services.ts";
import { assertTokenScope } from "#community/common";
import { tokenRules } from "#community/rules";
import { assertTokenGroups } from "./token-groups.ts";
import type { CommunityService } from "./define-service.ts";

export { getInputSchema } from "./service-schema.ts";
export { updateRecord, createRecord, removeRecord, unsupportedReason } from "./save-record.ts";
export type { CommunityService, CommandContext } from "./define-service.ts";

/** Adds the checks of a token's scopes and groups to a service. */
const withTokenScope = (service: CommunityService): CommunityService => ({
  ...service,
  async run(context, input) {
    const { entity, name } = service;
    assertTokenScope(context.viewer, tokenRules.serviceArea(entity, name), "write");
    await assertTokenGroups(context.tx, context.viewer, input, { isWhole: true });
    return service.run(context, input);
  },
});

/** Every command that API clients can call, with its input and description. */
export const COMMUNITY_SERVICES: readonly CommunityService[] = [
  ...peopleServices,
  ...groupServices,
  ...discussionServices,
  ...calendarServices,
  ...conversationServices,
  ...libraryServices,
  ...notificationServices,
].map(withTokenScope);
