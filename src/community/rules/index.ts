export { GUEST, isSignedIn, isStaff, OPERATOR } from "./viewer.ts";
export type { Viewer, SignedIn } from "./viewer.ts";
export { accountRules } from "./accounts.ts";
export { AUDIENCES, narrowerAudience, personRules, privacyDefaults } from "./people.ts";
export type { FieldAudience, PersonFacts, Privacy } from "./people.ts";
export { createFilterMatcher, applyFilters } from "./filters.ts";
export type { FilterContext, FilterFacts } from "./filters.ts";
export { friendRules } from "./friends.ts";
export type { RelationshipFacts } from "./friends.ts";
export { groupRules } from "./groups.ts";
export type {
  ContentFacts,
  GroupCreators,
  GroupFacts,
  GroupRole,
  HistoryPolicy,
  Visibility,
  JoinPolicy,
} from "./groups.ts";
export { calendarRules } from "./calendar.ts";
export type { AttendanceAnswer, CalendarEventFacts } from "./calendar.ts";
export { datePollRules } from "./date-polls.ts";
export type { DatePollAnswerName, DatePollFacts } from "./date-polls.ts";
export { appealRules } from "./appeals.ts";
export type { AppealFacts, BanFacts } from "./appeals.ts";
export { discussionRules, postRules } from "./discussions.ts";
export type { DiscussionFacts, HiddenFacts, PostFacts, PostStub } from "./discussions.ts";
export { APPROVAL_MODES, firstPostRules } from "./first-posts.ts";
export type { ApprovalMode } from "./first-posts.ts";
export { pollRules } from "./polls.ts";
export type { PollFacts } from "./polls.ts";
export { resourceRules, collectionRules } from "./resources.ts";
export type {
  CollectionFacts,
  HiddenResourceFacts,
  ResourceEditFacts,
  ResourceFacts,
  ResourceKind,
} from "./resources.ts";
export { conversationRules } from "./conversations.ts";
export type { ConversationFacts, MessageFacts, MessageStub } from "./conversations.ts";
export {
  NOTIFICATION_KIND_DEFINITIONS,
  NOTIFICATION_KINDS,
  NOTIFICATION_TABS,
  notificationRules,
} from "./notifications.ts";
export type { DeliveryChoice, MailLevel, NotificationKind, NotificationTab } from "./notifications.ts";
export { SITE_RULE_LIMITS, siteRuleRules } from "./site-rules.ts";
export { ILLEGAL_CATEGORY, OTHER_CATEGORY, REPORT_CATEGORIES, isUndoable, reportRules } from "./reports.ts";
export type { ReportFacts } from "./reports.ts";
export { PERSON_NOTE_LIMITS, personNoteRules } from "./person-notes.ts";
export { apiClientRules } from "./api-clients.ts";
export type { PublisherPolicy } from "./api-clients.ts";
export { sharedObjectRules } from "./shared-objects.ts";
export type { SharedObjectPolicy } from "./shared-objects.ts";
export { LIMITS } from "./limits.ts";
export { SERVER_LIMITS } from "./server-limits.ts";
export { PREVENTION_LIMITS } from "./prevention-limits.ts";
export { importRules } from "./imports.ts";
export { TOKEN_AREAS, TOKEN_SCOPES, tokenRules } from "./token-scopes.ts";
export type { TokenAccess, TokenArea, TokenScope } from "./token-scopes.ts";
export { GROUP_WEBHOOK_EVENTS, WEBHOOK_EVENTS, webhookRules } from "./webhooks.ts";
export type { WebhookEvent } from "./webhooks.ts";
