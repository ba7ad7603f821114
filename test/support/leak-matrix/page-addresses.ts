import type { Signer } from "#platform/signing";
import type { LeakCommunity } from "./community.ts";
import { GUEST_REPORT_TOKEN } from "./marked-discussions.ts";
import { GROUP_NAME, INSIDE_WORD, PRIVATE_WORD } from "./marker-words.ts";

type AddressesByRoute = Record<string, (at: LeakCommunity) => string[]>;

/**
 * Example addresses of routes with parameters, by route. A test fails for a missing one. `signer` signs the
 * addresses that contain a token.
 */
export const createRouteAddresses = (signer: Signer): AddressesByRoute => ({
  "groups/:groupId": (at) => [
    ...[
      "",
      "?tab=members",
      "?tab=members&who=friends",
      "?tab=members&who=leading",
      "?tab=resources",
      "?tab=about",
      "?tab=requests",
      "?filter=unanswered",
    ].flatMap((query) => [`/groups/${at.slug}${query}`, `/groups/${at.groupId}${query}`]),
    `/groups/${at.groundSlug}?tab=about`,
  ],
  "groups/:groupId/appeal": (at) => [`/groups/${at.groupId}/appeal`],
  "admin/groups/:groupId": (at) => [
    `/admin/groups/${at.groupId}`,
    `/admin/groups/${at.slug}?discussion=${at.discussionId}`,
  ],
  "groups/:groupId/manage/:part?": (at) =>
    [
      "",
      "/about",
      "/start",
      "/access",
      "/cover",
      "/photo",
      "/requests",
      "/requests?view=decided",
      "/reports",
      "/reports?view=done",
      "/invitations",
      "/members",
      "/log",
      "/end",
    ].map((part) => `/groups/${at.slug}/manage${part}`),
  "groups/:groupId/manage/webhooks/:webhookId": (at) => [
    `/groups/${at.slug}/manage/webhooks/${at.webhookId}`,
  ],
  "groups/:groupId/manage/bots": (at) => [`/groups/${at.slug}/manage/bots`],
  "groups/:groupId/manage/bots/:botId": (at) => [`/groups/${at.slug}/manage/bots/${at.botId}`],
  "groups/:groupId/manage/webhooks/incoming": (at) => [`/groups/${at.slug}/manage/webhooks/incoming`],
  "groups/:groupId/manage/webhooks/incoming/:webhookId": (at) => [
    `/groups/${at.slug}/manage/webhooks/incoming/${at.incomingWebhookId}`,
  ],
  "admin/webhooks/:webhookId": (at) => [`/admin/webhooks/${at.webhookId}`],
  "groups/:groupId/manage/requests/file": (at) => [`/groups/${at.slug}/manage/requests/file`],
  "groups/:groupId/feed.atom": (at) => [`/groups/${at.slug}/feed.atom`],
  "users/:id/feed.atom": (at) => [`/users/${at.authorId}/feed.atom`],
  "sitemap/:file": () => ["groups", "discussions", "resources"].map((kind) => `/sitemap/${kind}.xml`),
  "discussions/:id/feed.atom": (at) =>
    [at.discussionId, at.openId, at.formerId].map((id) => `/discussions/${id}/feed.atom`),
  "groups/:groupId/events": (at) =>
    ["", "?view=month", "?view=past", "?from=2020-01-01"].map((query) => `/groups/${at.slug}/events${query}`),
  "groups/:groupId/events/import": (at) => [`/groups/${at.slug}/events/import`],
  "groups/:groupId/events/import/:importId": (at) => [`/groups/${at.slug}/events/import/${at.importId}`],
  "groups/:groupId/events/subscriptions": (at) => [`/groups/${at.slug}/events/subscriptions`],
  "events/:eventId": (at) =>
    ["", "?who=maybe", "?who=waiting", "?who=declined"].map((query) => `/events/${at.eventId}${query}`),
  "events/:eventId/answers.csv": (at) => [`/events/${at.eventId}/answers.csv`],
  "events/:eventId/event.ics": (at) => [
    `/events/${at.eventId}/event.ics`,
    `/events/${at.eventId}/event.ics?dates=all`,
  ],
  "groups/:groupId/events.ics": (at) => [`/groups/${at.slug}/events.ics`],
  // A feed without an owner: personal ones are in `eventReads`.
  "calendar/:file": () => [`/calendar/${signer.sign("calendar-feed", "nobody")}.ics`],
  "events/polls/:pollId": (at) => [`/events/polls/${at.datePollId}`],
  "events/polls/:pollId/event": (at) => [`/events/polls/${at.datePollId}/event?time=${at.timeId}`],
  "events/:eventId/edit": (at) => [`/events/${at.eventId}/edit`],
  "groups/:groupId/new": (at) => [`/groups/${at.slug}/new`],
  "discussions/:id": (at) => [
    `/discussions/${at.discussionId}`,
    `/discussions/${at.discussionId}?post=2`,
    `/discussions/${at.openId}`,
    `/discussions/${at.formerId}`,
    `/discussions/${at.discussionId}?edit=${at.postId}`,
  ],
  "admin/data/:table": () => ["/admin/data/Beds"],
  "admin/data/:table/record": () => ["/admin/data/Beds/record", "/admin/data/Beds/record?id=1"],
  "admin/automations/:flowId": () => ["/admin/automations/01900000-0000-7000-8000-000000000001"],
  "admin/automations/:flowId/runs": () => ["/admin/automations/01900000-0000-7000-8000-000000000001/runs"],
  "admin/automations/:flowId/runs/:runId": () => [
    "/admin/automations/01900000-0000-7000-8000-000000000001/runs/1",
  ],
  "discussions/:id/manage": (at) =>
    [at.discussionId, at.openId].flatMap((id) =>
      ["", "?do=move", "?do=split", "?do=merge"].map((view) => `/discussions/${id}/manage${view}`),
    ),
  "discussions/:id/now": (at) => [
    `/discussions/${at.discussionId}/now?page=1`,
    `/discussions/${at.openId}/now?page=1`,
  ],
  "discussions/:id/seen": (at) => [`/discussions/${at.discussionId}/seen?upTo=1`],
  "posts/:postId": (at) => [`/posts/${at.postId}`, `/posts/${at.replyId}`, `/posts/${at.commentId}`],
  "posts/:postId/shown": (at) => [`/posts/${at.postId}/shown`, `/posts/${at.replyId}/shown`],
  "notifications/:notificationId": (at) => [`/notifications/${at.notificationId}`],
  "announcements/:announcementId": (at) => [`/announcements/${at.announcementId}`],
  "posts/:postId/report": (at) => [
    `/posts/${at.postId}/report`,
    `/posts/${at.replyId}/report`,
    `/posts/${at.commentId}/report`,
  ],
  "posts/:postId/history": (at) => [`/posts/${at.postId}/history`, `/posts/${at.commentId}/history`],
  "conversations/:conversationId": (at) => [
    `/conversations/${at.conversationId}`,
    `/conversations/${at.conversationId}?edit=${at.messageId}`,
  ],
  "conversations/:conversationId/files": (at) => [
    `/conversations/${at.conversationId}/files`,
    `/conversations/${at.conversationId}/files?what=files`,
  ],
  "conversations/:conversationId/report": (at) => [`/conversations/${at.conversationId}/report`],
  "moderation/:caseId": () => [],
  "conversations/:conversationId/now": (at) => [`/conversations/${at.conversationId}/now`],
  "invite/:token": (at) => [`/invite/${at.revokedToken}`],
  "users/:id": (at) =>
    [
      "",
      "?tab=activity",
      "?tab=discussions",
      "?tab=replies",
      "?tab=resources",
      "?tab=groups",
      "?as=friend",
    ].map((query) => `/users/${at.authorId}${query}`),
  "users/:id/card": (at) => [`/users/${at.authorId}/card`],
  "users/:id/invite": (at) => [`/users/${at.authorId}/invite`],
  "users/settings/:id/:page?": (at) => [
    `/users/settings/${at.authorId}`,
    ...["account", "security", "tokens", "privacy", "notifications", "appearance", "data"].map(
      (page) => `/users/settings/${at.authorId}/${page}`,
    ),
  ],
  "users/editPhoto/:id": (at) => [`/users/editPhoto/${at.authorId}`],
  "users/editHeader/:id": (at) => [`/users/editHeader/${at.authorId}`],
  "resources/:resourceId": (at) => [
    `/resources/${at.resourceId}`,
    `/resources/${at.libraryId}`,
    `/resources/${at.removedResourceId}`,
  ],
  "resources/:resourceId/now": (at) =>
    [at.resourceId, at.libraryId, at.removedResourceId].map((id) => `/resources/${id}/now`),
  "resources/collections/:collectionId": (at) => [
    `/resources/collections/${at.collectionId}`,
    `/resources?collection=${at.collectionId}`,
  ],
  "resources/shelves/:collectionId": (at) => [`/resources/shelves/${at.collectionId}`],
  // Only the guest who reported the reply has this address.
  "report/status/:token": () => [`/report/status/${GUEST_REPORT_TOKEN}`],
  "report/:kind/:id": (at) => [
    `/report/users/${at.authorId}`,
    `/report/groups/${at.groupId}`,
    ...[at.resourceId, at.libraryId, at.removedResourceId].map((id) => `/report/resources/${id}`),
  ],
  "appeal/:kind/:id": (at) => [
    ...[at.postId, at.replyId, at.commentId].map((id) => `/appeal/posts/${id}`),
    ...[at.resourceId, at.removedResourceId].map((id) => `/appeal/resources/${id}`),
  ],
  "resources/:resourceId/edit": (at) => [`/resources/${at.resourceId}/edit`],
  "resources/:resourceId/file": (at) => [`/resources/${at.resourceId}/file`],
  "resources/:resourceId/versions": (at) => [
    `/resources/${at.resourceId}/versions`,
    `/resources/${at.resourceId}/versions?version=1`,
  ],
  // An unsubscribe link names no place, and only its recipient has it.
  "unsubscribe/:token": () => [`/unsubscribe/${signer.sign("stop-mail", "nobody all")}`],
  "login/:page": () => [],
  "login/with/:provider": () => [],
  "login/from/:provider": () => [],
  "dev/mail/:id": () => [],
  "admin/templates/:templateId": () => ["/admin/templates/01900000-0000-7000-8000-000000000001"],
  "admin/imports/:runId": () => [],
  "admin/imports/:runId/report": () => [],
});

/** Further views of a page. Their addresses hold no marker word, because pages repeat their query. */
export const PAGE_VIEWS: Record<string, string[]> = {
  "": ["?tab=latest", "?tab=top", "?tab=top&span=year"],
  events: ["?show=all", "?show=answered", "?show=all&view=past", "?show=all&view=month"],
  groups: ["?tab=discover", "?tab=waiting", `?tab=discover&search=${GROUP_NAME.slice(0, 6)}`],
  similar: [`?title=${INSIDE_WORD.slice(0, 8)}`],
  search: [`?q=${INSIDE_WORD.slice(0, 6)}`, `?q=${GROUP_NAME.slice(0, 6)}`],
  resources: [`?search=${INSIDE_WORD.slice(0, 6)}`, "?sort=title", "?kind=document"],
  discussions: ["?next=unread", "?next=unread&from=x"],
  messages: ["?next=unread", "?tab=requests", "?tab=groups", `?search=${PRIVATE_WORD.slice(0, 6)}`],
  notifications: ["?tab=unread", "?tab=apart"],
  "notifications/now": ["?tab=all"],
  "drafts/now": ["?place=new:conversation", "?place=new:group"],
  myFriends: ["?tab=suggestions", "?tab=received"],
  users: ["?search=mi"],
};
