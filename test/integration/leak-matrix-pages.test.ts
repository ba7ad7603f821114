import { describe, expect, test } from "vitest";
import type { Viewer } from "#community/rules";
import { createTestUsers } from "../support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../support/leak-matrix/community.ts";
import { INSIDE_WORD, GROUP_NAME, PRIVATE_WORD, REPORTED_WORD } from "../support/leak-matrix/marker-words.ts";
import { OUTSIDE_CLASSES, EXPECTED_VISIBILITY, createViewer } from "../support/leak-matrix/viewers.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/**
 * The leak matrix over the pages: every route of the build, as document and as data, for every kind of
 * viewer.
 */
const database = await testDatabase();
const { server, build, signer, as } = await serveBuiltPages(database);

/** Example addresses of routes with parameters. The test below fails for a missing one. */
const FILLED: Record<string, (at: LeakCommunity) => string[]> = {
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
  "admin/webhooks/:webhookId": (at) => [`/admin/webhooks/${at.webhookId}`],
  "groups/:groupId/manage/requests/file": (at) => [`/groups/${at.slug}/manage/requests/file`],
  "groups/:groupId/feed.atom": (at) => [`/groups/${at.slug}/feed.atom`],
  "users/:id/feed.atom": (at) => [`/users/${at.authorId}/feed.atom`],
  "sitemap/:file": () => ["groups", "discussions", "resources"].map((kind) => `/sitemap/${kind}.xml`),
  "discussions/:id/feed.atom": (at) =>
    [at.discussionId, at.openId, at.formerId].map((id) => `/discussions/${id}/feed.atom`),
  "groups/:groupId/events": (at) =>
    ["", "?view=month", "?view=past", "?from=2020-01-01"].map((query) => `/groups/${at.slug}/events${query}`),
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
};

/** Further views of a page. Their addresses hold no marker word, because pages repeat their query. */
const VIEWS: Record<string, string[]> = {
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

/** Every path of the build, as written in `routes.ts`. */
async function patterns(): Promise<string[]> {
  const { routes } = await build();
  const whole = (id: string): string[] => {
    const route = routes[id];
    return route ? [...(route.parentId ? whole(route.parentId) : []), route.path ?? ""] : [];
  };
  const hasChildren = new Set(Object.values(routes).map((route) => route?.parentId));
  return (
    Object.keys(routes)
      // Routes without a loader only take forms and show nothing.
      .filter((id) => !hasChildren.has(id) && (routes[id]?.module.loader || routes[id]?.module.default))
      .map((id) => whole(id).filter(Boolean).join("/"))
      .filter((path) => path !== "*" && path !== "logout")
  );
}

async function addresses(at: LeakCommunity): Promise<string[]> {
  return (await patterns()).flatMap((pattern) =>
    pattern.includes(":")
      ? (FILLED[pattern]?.(at) ?? [])
      : ["", ...(VIEWS[pattern] ?? [])].map((view) => `/${pattern}${view}`),
  );
}

/** The same address as the client requests it. */
const asData = (address: string) => {
  const [path = "", query] = address.split("?", 2);
  return `${path === "/" ? "/_" : path}.data${query ? `?${query}` : ""}`;
};

/** Responses to a viewer at each address, as page and as data. */
async function hears(
  viewer: Viewer,
  at: LeakCommunity,
): Promise<Record<string, { status: number; body: string }>> {
  const whose = as(viewer);
  const heard: Record<string, { status: number; body: string }> = {};
  for (const address of (await addresses(at)).flatMap((it) => [it, asData(it)])) {
    const answer = await server.inject({
      url: address,
      headers: { host: "kith.test", accept: "text/html", ...whose },
    });
    heard[address] = { status: answer.statusCode, body: answer.body };
  }
  return heard;
}

type Heard = Awaited<ReturnType<typeof hears>>;
/** Case-sensitive: the lower-case name is in the group's address, which pages repeat. */
const waysTo = (word: string, heard: Heard) =>
  Object.keys(heard).filter((address) => heard[address]!.body.includes(word));

test("every route of the build is in the matrix", async () => {
  expect((await patterns()).filter((pattern) => pattern.includes(":") && !FILLED[pattern])).toEqual([]);
});

describe.each(["private", "secret"] as const)("pages of a %s group", (visibility) => {
  test.each(OUTSIDE_CLASSES)(
    "show a viewer who is %s only what the visibility allows",
    { timeout: 60_000 },
    async (viewerClass) => {
      const people = await createTestUsers(database);
      const at = await createLeakCommunity(database, people, visibility);
      const heard = await hears(await createViewer(database, people, at.groupId, viewerClass), at);
      const { name } = EXPECTED_VISIBILITY[visibility](viewerClass);
      const atTheDoor =
        visibility === "secret" && name
          ? FILLED["groups/:groupId"]!(at).flatMap((address) => [address, asData(address)])
          : [];
      expect(waysTo(PRIVATE_WORD, heard)).toEqual([]);
      // Staff read what was reported to them, with its place.
      const shown =
        viewerClass === "moderator of the site" || viewerClass === "admin"
          ? ["/moderation", asData("/moderation")]
          : [];
      expect(waysTo(REPORTED_WORD, heard)).toEqual(shown);
      expect(waysTo(INSIDE_WORD, heard).filter((address) => !atTheDoor.includes(address))).toEqual(shown);
      if (!name) expect(waysTo(GROUP_NAME, heard)).toEqual(shown);
      // A public name does not reveal the group's members.
      expect(waysTo(GROUP_NAME, heard).filter((address) => address.startsWith("/users/"))).toEqual([]);
      expect(
        Object.entries(heard)
          .filter(([, { status }]) => status >= 500)
          .map(([address]) => address),
      ).toEqual([]);
    },
  );

  test("show members everything, which proves that the test texts exist", { timeout: 60_000 }, async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const heard = await hears(people.mira, at);
    const pages = waysTo(INSIDE_WORD, heard);
    for (const address of [
      `/groups/${at.slug}`,
      `/discussions/${at.discussionId}`,
      `/resources/${at.resourceId}`,
      "/?tab=latest",
      "/resources",
    ])
      expect(pages, address).toEqual(expect.arrayContaining([address, asData(address)]));
    expect(waysTo(PRIVATE_WORD, heard)).toEqual(
      expect.arrayContaining([`/groups/${at.slug}/new`, "/messages", `/conversations/${at.conversationId}`]),
    );
  });
});
