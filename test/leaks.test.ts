import { describe, expect, test } from "vitest";
import { type Db, many, run, sql } from "#platform/database";
import { activityOf } from "#community/activity";
import {
  conversationFor,
  conversationsOf,
  conversationWith,
  findMessages,
  messageFileFor,
  messagesOf,
  messageSource,
  recipientsFor,
  requestCards,
  sentAlongIn,
  unreadConversations,
} from "#community/conversations";
import {
  bestUnread,
  callable,
  discussionFor,
  openDiscussion,
  discussionsBy,
  discussionsOf,
  bookmarksOf,
  draftFor,
  draftsOf,
  dueBookmarks,
  groupsToMoveTo,
  historyOf,
  latestDiscussions,
  place,
  nowAt,
  postFor,
  postFileFor,
  postsNamed,
  postsNumbered,
  postsOf,
  previewOf,
  quoteOf,
  react,
  readNext,
  repliesBy,
  repliesSince,
  sidebarOf,
  sourceOf,
  topDiscussions,
  unreadAndLatest,
} from "#community/discussions";
import { block, friendCountOf, friendLinkFor, friendsInCommon, friendsOf, friendStateWith, tieTo } from "#community/friends";
import {
  deletedGroups,
  groupFor,
  groupsDesk,
  groupsFor,
  groupsOf,
  heirStanding,
  invitationFor,
  invitationsOf,
  keptOutOf,
  membersOf,
  openWhatIsDue,
  requestsOf,
  rulesBefore,
  startOf,
  updateGroup,
} from "#community/groups";
import { countStops } from "#community/mailing";
import { groupLog, ownReports, reportsFor } from "#community/moderation";
import {
  announcementFor,
  assertMayAnnounce,
  badgesFor,
  besideHome,
  noticesFor,
  notificationFor,
  notificationsOf,
  shellFor,
} from "#community/notifications";
import { directory, fieldsToAskBy, hasRole, personFor, pictureFor, programUsers, summariesOf } from "#community/people";
import { pushDevices } from "#community/pushing";
import { recordFor, rowFor } from "#community/published";
import {
  collectionsFor,
  comment,
  commentsOn,
  featuredFor,
  fileFor,
  fileTextFor,
  itemsOn,
  keepableIn,
  keptAlready,
  linkHealthOf,
  relatedTo,
  resourceFacets,
  resourceFor,
  resourcesFor,
  shelfFor,
  shelvesToPutOn,
  thumbnailFor,
  tombstoneFor,
  usedIn,
  versionOf,
  versionsOf,
  placesToMoveTo,
} from "#community/resources";
import { freeFiles } from "#community/uploads";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { lookUp, openSearch, type Query, searchesOf, similarDiscussions } from "#community/search";
import { movedTo } from "#community/transfer";
import { aDiscussion, aReply, bring, cast, person } from "./cast.ts";
import { DELETED_WORD, fill, INSIDE, NAME, OUTSIDE, type Place, PRIVATE_WORD, PROMISE, viewerOf } from "./leaky-place.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const PARTED = "Brombeere";
const TITLE = `${PARTED} on ${NAME} and ${INSIDE}`;

const { engine, filing } = openSearch({ database });
/** What a search tells: hits, counts of values, and that there is anything at all. The words of the question are no secret. */
async function finds(viewer: Viewer, words: string, query: Partial<Query> = {}) {
  const {
    total,
    words: _,
    ...results
  } = await engine.search(viewer, { index: "all", words, facets: ["tags", "groupName", "authorName", "has", "createdAt"], ...query });
  return [results, total > 0 && words];
}

type Read = (db: Db, viewer: Viewer, at: Place) => Promise<unknown>;
const now = () => database.clock.at;

/** Every way to read. A new one is one line here. */
const READS: Record<string, Read> = {
  "groups, mine": (db, viewer) => groupsFor(db, viewer, { tab: "mine" }),
  "groups, discover": (db, viewer) => groupsFor(db, viewer, { tab: "discover" }),
  "groups, by name": (db, viewer) => groupsFor(db, viewer, { tab: "discover", search: NAME }),
  "groups, waiting": (db, viewer) => groupsFor(db, viewer, { tab: "waiting" }),
  "group by id": (db, viewer, at) => groupFor(db, viewer, at.groupId),
  "groups of the author": (db, viewer, at) => groupsOf(db, viewer, at.authorId, {}),
  "group by slug": (db, viewer, at) => groupFor(db, viewer, at.slug),
  "groups, deleted": (db, viewer) => deletedGroups(db, viewer),
  members: async (db, viewer, at) => membersOf(db, viewer, await groupFor(db, viewer, at.groupId), {}),
  requests: async (db, viewer, at) => requestsOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  "kept out": async (db, viewer, at) => keptOutOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  "desk of groups": (db, viewer) => groupsDesk(db, viewer),
  "rules before": async (db, viewer, at) => rulesBefore(db, viewer, await groupFor(db, viewer, at.groupId)),
  "start here": async (db, viewer, at) => startOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  invitations: async (db, viewer, at) => invitationsOf(db, viewer, await groupFor(db, viewer, at.groupId), { now: now() }),
  "an invitation that is over": (db, viewer, at) => invitationFor(db, viewer, at.revokedToken, now()),
  log: async (db, viewer, at) => groupLog(db, viewer, await groupFor(db, viewer, at.groupId)),
  discussions: async (db, viewer, at) => discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), {}),
  "discussions by tag": async (db, viewer, at) =>
    discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), { filter: { tag: INSIDE.toLowerCase() } }),
  "discussions, archived": async (db, viewer, at) =>
    discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), { filter: "archived" }),
  "discussions, deleted": async (db, viewer, at) =>
    discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), { filter: "deleted" }),
  sidebar: async (db, viewer, at) => sidebarOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  latest: (db, viewer) => latestDiscussions(db, viewer, {}),
  "replies of the author": (db, viewer, at) => repliesBy(db, viewer, at.authorId, {}),
  "activity of the author": (db, viewer, at) => activityOf(db, viewer, at.authorId, {}),
  "library of the author": (db, viewer, at) => resourcesFor(db, viewer, { keeper: at.authorId }),
  "by the author": (db, viewer, at) => discussionsBy(db, viewer, at.authorId, {}),
  "unread and latest": (db, viewer) => unreadAndLatest(db, viewer),
  "best of the unread": (db, viewer) => bestUnread(db, viewer, { since: new Date(0) }),
  top: (db, viewer) => topDiscussions(db, viewer, { span: "year", now: now() }),
  discussion: (db, viewer, at) => discussionFor(db, viewer, at.discussionId),
  openedDiscussion: (db, viewer, at) => openDiscussion(db, viewer, at.discussionId),
  posts: async (db, viewer, at) => postsOf(db, viewer, await discussionFor(db, viewer, at.discussionId), { page: 1 }),
  bookmarks: (db, viewer) => bookmarksOf(db, viewer, {}),
  "bookmarks that are due": (db, viewer) => dueBookmarks(db, viewer),
  drafts: (db, viewer) => draftsOf(db, viewer),
  "read next": async (db, viewer, at) => readNext(db, viewer, await discussionFor(db, viewer, at.openId), now()),
  "posts by name": async (db, viewer, at) =>
    postsNamed(db, viewer, await discussionFor(db, viewer, at.discussionId), [at.postId, at.replyId]),
  "posts by number": async (db, viewer, at) => postsNumbered(db, viewer, await discussionFor(db, viewer, at.discussionId), [1, 2]),
  "lines, and where posts went": async (db, viewer, at) => postsOf(db, viewer, await discussionFor(db, viewer, at.openId), { page: 1 }),
  "where a merged one is": (db, viewer, at) => nowAt(db, viewer, at.formerId),
  "groups to move to": async (db, viewer, at) => groupsToMoveTo(db, viewer, await discussionFor(db, viewer, at.openId)),
  post: (db, viewer, at) => postFor(db, viewer, at.postId),
  poll: (db, viewer, at) => postFor(db, viewer, at.pollId),
  "poll, as a record": (db, viewer, at) => recordFor(db, viewer, "Posts", at.pollId),
  "reply, revealed": (db, viewer, at) => postFor(db, viewer, at.replyId, { reveal: true }),
  history: (db, viewer, at) => historyOf(db, viewer, at.postId),
  "said since": (db, viewer, at) => repliesSince(db, viewer, at.discussionId, 0),
  quoted: (db, viewer, at) => quoteOf(db, viewer, at.postId),
  "quoted reply": (db, viewer, at) => quoteOf(db, viewer, at.replyId),
  preview: (db, viewer, at) => previewOf(db, viewer, place.discussion(at.discussionId), `@${at.slug} @bram`),
  source: (db, viewer, at) => sourceOf(db, viewer, at.postId),
  "who can be called": (db, viewer, at) => callable(db, viewer, place.discussion(at.discussionId), NAME),
  "who can be called, in the group": (db, viewer, at) => callable(db, viewer, place.group(at.groupId), PARTED),
  draft: (db, viewer, at) => draftFor(db, viewer, place.group(at.groupId)),
  "post, as a record": (db, viewer, at) => recordFor(db, viewer, "Posts", at.replyId),
  "group, as a row": (db, viewer, at) => rowFor(db, viewer, "Groups", at.groupId),
  "discussion, as a row": (db, viewer, at) => rowFor(db, viewer, "Discussions", at.discussionId),
  "post, as a row": (db, viewer, at) => rowFor(db, viewer, "Posts", at.replyId),
  "message, as a row": (db, viewer, at) => rowFor(db, viewer, "Messages", at.messageId),
  "resource, as a row": (db, viewer, at) => rowFor(db, viewer, "Resources", at.resourceId),
  "discussion, as a record": (db, viewer, at) => recordFor(db, viewer, "Discussions", at.discussionId),
  "comment, as a record": (db, viewer, at) => recordFor(db, viewer, "Comments", at.commentId),
  "group, as a record": (db, viewer, at) => recordFor(db, viewer, "Groups", at.groupId),
  library: (db, viewer) => resourcesFor(db, viewer, {}),
  "library of the group": (db, viewer, at) => resourcesFor(db, viewer, { group: at.groupId }),
  "library by word": (db, viewer) => resourcesFor(db, viewer, { search: INSIDE }),
  facets: (db, viewer) => resourceFacets(db, viewer, {}),
  resource: (db, viewer, at) => resourceFor(db, viewer, at.resourceId),
  "where a resource may go": async (db, viewer, at) => placesToMoveTo(db, viewer, await resourceFor(db, viewer, at.resourceId)),
  "resource for all": (db, viewer, at) => resourceFor(db, viewer, at.libraryId),
  versions: async (db, viewer, at) => versionsOf(db, viewer, await resourceFor(db, viewer, at.resourceId)),
  "first version": async (db, viewer, at) => versionOf(db, viewer, await resourceFor(db, viewer, at.resourceId), 1),
  "removed resource": (db, viewer, at) => resourceFor(db, viewer, at.removedResourceId),
  "what was taken away": (db, viewer, at) => tombstoneFor(db, viewer, at.removedResourceId),
  comments: async (db, viewer, at) => commentsOn(db, viewer, await resourceFor(db, viewer, at.resourceId)),
  comment: (db, viewer, at) => postFor(db, viewer, at.commentId),
  "history of a comment": (db, viewer, at) => historyOf(db, viewer, at.commentId),
  "quoted comment": (db, viewer, at) => quoteOf(db, viewer, at.commentId),
  "source of a comment": (db, viewer, at) => sourceOf(db, viewer, at.commentId),
  "who can be called under it": (db, viewer, at) => callable(db, viewer, place.resource(at.resourceId), PARTED),
  "used in": async (db, viewer, at) => usedIn(db, viewer, await resourceFor(db, viewer, at.libraryId)),
  shelves: (db, viewer) => collectionsFor(db, viewer),
  "what is related": async (db, viewer, at) => relatedTo(db, viewer, await resourceFor(db, viewer, at.libraryId)),
  "what of a post can be kept": (db, viewer, at) => keepableIn(db, viewer, at.replyId),
  "what is kept already": (db, viewer, at) => keptAlready(db, viewer, at.keptAddress),
  "what is featured": (db, viewer) => featuredFor(db, viewer),
  "library by bookmarks": (db, viewer) => resourcesFor(db, viewer, { mine: "yes" }),
  shelf: (db, viewer, at) => shelfFor(db, viewer, at.shelfId),
  "what stands on it": async (db, viewer, at) => itemsOn(db, viewer, await shelfFor(db, viewer, at.shelfId)),
  "shelves to put on": async (db, viewer, at) => shelvesToPutOn(db, viewer, await resourceFor(db, viewer, at.resourceId)),
  "shelves of the group": (db, viewer, at) => collectionsFor(db, viewer, { group: at.groupId }),
  file: (db, viewer, at) => fileFor(db, viewer, at.uploadId),
  "text of a file": (db, viewer, at) => fileTextFor(db, viewer, at.uploadId, 1),
  "health of a link": (db, viewer, at) => linkHealthOf(db, viewer, at.resourceId),
  thumbnail: (db, viewer, at) => thumbnailFor(db, viewer, at.uploadId),
  "files of one's own": (db, viewer, at) => freeFiles(db, viewer, [at.uploadId]),
  "picture in a post": async (db, viewer, at) => ((await postFileFor(db, viewer, at.pictureId)).size === 77 ? INSIDE : null),
  inbox: (db, viewer) => conversationsOf(db, viewer, { tab: "all" }),
  "whom to write to": (db, viewer) => recipientsFor(db, viewer, PARTED),
  "inbox, requests": (db, viewer) => conversationsOf(db, viewer, { tab: "requests" }),
  conversation: (db, viewer, at) => conversationFor(db, viewer, at.conversationId),
  messages: async (db, viewer, at) => messagesOf(db, viewer, await conversationFor(db, viewer, at.conversationId)),
  "picture in a message": async (db, viewer, at) =>
    (await messageFileFor(db, viewer, at.privatePictureId)).size === 78 ? PRIVATE_WORD : null,
  "picture in a message, as a file": async (db, viewer, at) =>
    (await fileFor(db, viewer, at.privatePictureId)).size === 78 ? PRIVATE_WORD : null,
  "what was sent along": async (db, viewer, at) =>
    (await sentAlongIn(db, viewer, await conversationFor(db, viewer, at.conversationId), { what: "pictures" })).rows.map(({ id }) =>
      id === at.privatePictureId ? PRIVATE_WORD : null,
    ),
  "messages by word": (db, viewer) => findMessages(db, viewer, { search: PRIVATE_WORD.slice(0, 6) }),
  "messages by word, in one": (db, viewer, at) => findMessages(db, viewer, { search: PRIVATE_WORD, conversationId: at.conversationId }),
  "cards of requests": (db, viewer) => requestCards(db, viewer),
  "message, to be changed": (db, viewer, at) => messageSource(db, viewer, at.messageId),
  "message, as a record": (db, viewer, at) => recordFor(db, viewer, "Messages", at.messageId),
  "messages by id alone": async (db, viewer, at) => conversationWith(db, viewer, at.conversationId),
  reports: (db, viewer) => reportsFor(db, viewer, { tab: "open" }),
  "own reports": (db, viewer) => ownReports(db, viewer),
  "unread conversations": (db, viewer) => unreadConversations(db, viewer),
  friends: (db, viewer) => friendsOf(db, viewer, { tab: "friends" }),
  "friends, counted": (db, viewer, at) => friendCountOf(db, viewer, at.authorId),
  "a friend link that is over": (db, viewer, at) => friendLinkFor(db, viewer, at.friendToken, now()),
  "friends in common": (db, viewer, at) => friendsInCommon(db, viewer, at.authorId),
  person: (db, viewer, at) => personFor(db, viewer, at.authorId),
  directory: (db, viewer) => directory(db, viewer, {}),
  "people with a role": async (db, viewer) => {
    const withRole = sql<{ id: string }>`select t.id from people t where ${hasRole(viewer, "AuthenticatedUser", sql.ref("t.id"))}`;
    return [
      ...(
        await programUsers(
          db,
          viewer,
          (await many(db, withRole)).map(({ id }) => id),
        )
      ).values(),
    ];
  },
  "directory, by what nobody else is told": async (db, viewer, at) =>
    (await directory(db, viewer, { says: { [at.fieldId]: INSIDE } })).people.length > 0 ? INSIDE : null,
  "fields to ask by": (db, viewer) => fieldsToAskBy(db, viewer),
  suggestions: (db, viewer) => friendsOf(db, viewer, { tab: "suggestions" }),
  "browsers that are told": (db, viewer) => pushDevices(db, viewer),
  "how much mail was ended": (db, viewer) => countStops(db, viewer),
  badges: (db, viewer) => badgesFor(db, viewer),
  notifications: (db, viewer) => notificationsOf(db, viewer, { tab: "all" }),
  announcement: (db, viewer, at) => announcementFor(db, viewer, at.announcementId),
  "room for an announcement": (db, viewer, at) => assertMayAnnounce(db, viewer, at.groupId),
  "what is heard of": (db, viewer) => noticesFor(db, viewer, now()),
  "each notification": async (db, viewer) => {
    const own = await many(db, sql<{ id: string }>`select id from notifications where person_id = ${viewer.id}::uuid`);
    return Promise.all(own.map(({ id }) => notificationFor(db, viewer, id).catch(() => null)));
  },
  "beside home": async (db, viewer) => (isSignedIn(viewer) ? besideHome(db, viewer) : null),
  "old address": async (db, viewer) => (await movedTo(db, viewer, "/t/old/")) && INSIDE,
  "old address of a post": async (db, viewer) => (await movedTo(db, viewer, "/t/old/2")) && INSIDE,
  "people by id": (db, viewer, at) => summariesOf(db, viewer, [at.authorId]),
  shell: async (db, viewer) => (isSignedIn(viewer) ? shellFor(db, viewer) : null),
  "tie to somebody": (db, viewer, at) => tieTo(db, viewer, at.authorId),
  "friend state": (db, viewer, at) => friendStateWith(db, viewer, at.authorId),
  "picture of somebody": (db, viewer, at) => pictureFor(db, viewer, at.uploadId),
  "standing of heirs": async (db, viewer, at) => heirStanding(db, viewer, await groupFor(db, viewer, at.groupId), now()),
  "search by name": (db, viewer) => lookUp(engine, db, viewer, { text: NAME, now: now() }),
  "own searches": (db, viewer) => searchesOf(db, viewer),
  "found by name": (_db, viewer) => finds(viewer, NAME),
  "found by word": (_db, viewer) => finds(viewer, INSIDE),
  "found by a word with a slip": async (_db, viewer) => (await finds(viewer, INSIDE.replace("tt", "t"), { index: "posts" }))[1] && INSIDE,
  "found by a private word": (_db, viewer) => finds(viewer, PRIVATE_WORD, { index: "messages" }),
  "found by a deleted word": (_db, viewer) => finds(viewer, DELETED_WORD, { index: "discussions" }),
  "found without a word": (_db, viewer) => finds(viewer, ""),
  "found, the latest": (_db, viewer) => finds(viewer, "", { index: "posts", sort: { by: "createdAt", descending: true }, length: 100 }),
  "found by the author's name": (_db, viewer) => finds(viewer, PARTED, { index: "people" }),
  "found by its filter": async (_db, viewer, at) => {
    const filter = { and: [{ facet: "groupId", value: at.groupId }, { not: { facet: "kind", value: "comment" } }] };
    return (await finds(viewer, "", { filter, index: "posts" }))[1] === false ? null : INSIDE;
  },
  "values that begin so": (_db, viewer) =>
    engine.facet(viewer, { facet: "tags", begins: INSIDE.slice(0, 3), most: 10, of: { index: "discussions", words: "" } }),
  "names of groups that begin so": (_db, viewer) =>
    engine.facet(viewer, { facet: "groupName", begins: NAME.slice(0, 3), most: 10, of: { index: "groups", words: "" } }),
  "documents by id": (_db, viewer, at) =>
    engine.get(viewer, "all", [at.postId, at.replyId, at.pollId, at.discussionId, at.resourceId, at.messageId, at.groupId, at.authorId]),
  similar: (db, viewer) => similarDiscussions(db, viewer, INSIDE),
  "search by word": (db, viewer) => lookUp(engine, db, viewer, { text: INSIDE, now: now() }),
  "search in the group": async (db, viewer, at) => {
    const found = await lookUp(engine, db, viewer, { text: `in:${at.slug} type:posts`, now: now() });
    return found.sections.some(({ total }) => total > 0) ? INSIDE : null;
  },
};

/** Read by nobody but who they are about, by admins alone, or on the way to a change or a list; each has its own tests. */
const OWN = [
  "missesFor",
  "rowsOf",
  "accountFor",
  "accountLineFor",
  "accountsFor",
  "programUserFor",
  "ownRoles",
  "rolesOf",
  "arrivalOf",
  "blockedBy",
  "mutedBy",
  "filtersOf",
  "friendLinksOf",
  "droppedFilter",
  "tiesTo",
  "groupToChange",
  "importFor",
  "importsFor",
  "definedFields",
  "fieldsToFill",
  "exportOf",
  "exportFileFor",
  "groupsWithoutHeir",
  "settingChanges",
  "savedSearchFor",
];

/** The doors of the community, as they are. */
const doors = import.meta.glob<Record<string, unknown>>("../src/community/*/index.ts", { eager: true });

test("every way to read that the community offers is in the matrix", () => {
  const asked = Object.values(READS).map(String).join(" ");
  const offered = Object.values(doors).flatMap((door) =>
    Object.entries(door).filter(([, it]) => typeof it === "function" && /^(async )?(function )?\w*\s*\(db, viewer\b/.test(String(it))),
  );
  expect(offered.length).toBeGreaterThan(40);
  const missing = offered.map(([name]) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(asked));
  expect(missing.filter((name) => !OWN.includes(name))).toEqual([]);
});

/** All that a viewer hears, with refusals by their words. */
async function hears(viewer: Viewer, at: Place): Promise<Record<string, string>> {
  await filing.beginAgain();
  await filing.finish();
  const heard = Object.entries(READS).map(async ([name, read]) => {
    const answer = await read(database.db, viewer, at).catch((error: Error) => {
      if (!("reason" in error)) throw error;
      return error.message;
    });
    return [name, JSON.stringify(answer)] as const;
  });
  return Object.fromEntries(await Promise.all(heard));
}

const waysTo = (word: string, heard: Record<string, string>) =>
  Object.keys(heard).filter((name) => heard[name]!.toLowerCase().includes(word.toLowerCase()));

describe.each(["public", "private", "secret"] as const)("a %s group", (visibility) => {
  test.each(OUTSIDE)("tells a viewer who is %s nothing but what is promised", async (it) => {
    const people = await cast(database);
    const at = await fill(database, people, visibility);
    const heard = await hears(await viewerOf(database, people, at.groupId, it), at);
    const may = PROMISE[visibility](it);
    const byName = waysTo(NAME, heard);
    const inside = waysTo(INSIDE, heard);
    // The description of a secret group is at its door, where an invited person stands.
    const atTheDoor = visibility === "secret" && may.name ? ["group by id", "group by slug", "group, as a row"] : [];
    expect(may.name ? [] : byName).toEqual([]);
    expect(may.inside ? atTheDoor : inside).toEqual(atTheDoor);
    expect(inside.length > 8).toBe(may.inside);
    expect(waysTo(PRIVATE_WORD, heard)).toEqual([]);
    const restores = visibility === "public" && (it === "moderator of the site" || it === "admin");
    expect(waysTo(DELETED_WORD, heard)).toEqual(restores ? ["discussions, deleted", "removed resource"] : []);
    expect(heard["group by slug"] === JSON.stringify("There is nothing here.")).toBe(!may.name);
  });

  test("tells its members everything: the words above are really there to be heard", async () => {
    const people = await cast(database);
    const at = await fill(database, people, visibility);
    const heard = await hears(people.mira, at);
    expect(waysTo(INSIDE, heard).length).toBeGreaterThan(15);
    expect(waysTo(PRIVATE_WORD, heard)).toEqual(expect.arrayContaining(["draft", "inbox", "messages"]));
    expect(waysTo(INSIDE, heard)).toContain("discussions, archived");
    // What one kept oneself one may read, whoever took it away.
    expect(waysTo(DELETED_WORD, heard)).toEqual(["removed resource"]);
  });

  test("tells what was deleted to those who look after it", async () => {
    const people = await cast(database);
    const at = await fill(database, people, visibility);
    expect(waysTo(DELETED_WORD, await hears(people.tomas, at))).toEqual(["discussions, deleted", "removed resource"]);
  });
});

describe.each(["private", "secret"] as const)("a %s group whose newcomers read from the day they join", (visibility) => {
  test("tells a newcomer nothing of before, and everything to who was there", async () => {
    const people = await cast(database);
    const at = await fill(database, people, visibility);
    await run(database.db, sql`update groups set history_policy = 'from_joining' where id = ${at.groupId}`);
    database.clock.pass(1_000);
    const newcomer = await within(async (tx) => {
      const who = await person(tx, "newcomer");
      await bring(tx, at.groupId, who, "member");
      return who;
    });
    const door = visibility === "secret" ? ["group by id", "group by slug", "group, as a row"] : [];
    expect(waysTo(INSIDE, await hears(newcomer, at))).toEqual(door);
    expect(waysTo(INSIDE, await hears(people.mira, at)).length).toBeGreaterThan(15);
    const word = "Hagebutte";
    await aReply(database, people.mira, at.discussionId, { body: word, replyTo: at.postId });
    const heard = await hears(newcomer, at);
    expect(waysTo(word, heard)).toEqual(["replies of the author", "posts", "found without a word", "found, the latest"]);
    // The title names what goes on; what was said in it before is not there.
    expect(heard["posts"]).not.toContain(INSIDE);
  });
});

describe("a private group that opened up", () => {
  test.each(["guest", "stranger", "left", "requested", "banned", "admin"] as const)(
    "tells a viewer who is %s nothing of before",
    async (it) => {
      const people = await cast(database);
      const at = await fill(database, people, "private");
      await within((tx) => updateGroup(tx, people.tomas, { groupId: at.groupId, visibility: "public" }));
      database.clock.pass(7 * 86_400_000);
      await within(openWhatIsDue);
      expect(waysTo(INSIDE, await hears(await viewerOf(database, people, at.groupId, it), at))).toEqual([]);
      expect(waysTo(INSIDE, await hears(people.mira, at)).length).toBeGreaterThan(15);
    },
  );
});

/** What shows a discussion by its title to whoever reads its group; and what looks for somebody or something. */
const TITLED = [
  "discussions",
  "sidebar",
  "latest",
  "unread and latest",
  "top",
  "discussion",
  "openedDiscussion",
  "drafts",
  "bookmarks",
  "history",
  "discussion, as a record",
  "discussion, as a row",
];
const FOUND = [
  "search by name",
  "search by word",
  "found by name",
  "found by word",
  "found without a word",
  "found by the author's name",
  "similar",
  "read next",
  "best of the unread",
  "by the author",
  "directory",
  "suggestions",
  "who can be called, in the group",
  "whom to write to",
];

describe("between two who are parted by a block", () => {
  /** Bram blocks Cleo; Bram has written in the group, and Cleo is there as `it` says. */
  async function parted(it: "member" | "moderator" | "left" | "staff" = "member", bramIs: "member" | "moderator" = "member") {
    const people = await cast(database);
    const at = await fill(database, people, "public");
    const [bram, cleo] = await within(async (tx) => {
      const both = [await person(tx, "bram"), await person(tx, "cleo", it === "staff" ? "moderator" : "member")] as [SignedIn, SignedIn];
      await bring(tx, at.groupId, both[0], bramIs);
      if (it !== "staff") await bring(tx, at.groupId, both[1], it);
      await run(tx, sql`update people set display_name = ${PARTED} where id = ${both[0].id}`);
      return both;
    });
    const own = await aDiscussion(database, bram, at.groupId, { title: TITLE, body: PARTED });
    await aReply(database, bram, at.discussionId, { body: PARTED });
    await within((tx) => react(tx, bram, { postId: at.postId, emoji: "👍" }));
    await within((tx) => comment(tx, bram, { resourceId: at.libraryId, body: PARTED }));
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    return { ...people, bram, cleo, at: { ...at, authorId: bram.id, discussionId: own.id, postId: own.postId, replyId: own.postId } };
  }

  test.each([
    ["in one group", "member", "member"],
    ["a stranger", "left", "member"],
    ["of a moderator", "member", "moderator"],
  ] as const)("the blocked one, %s, hears neither the name nor the words", async (_it, cleoIs, bramIs) => {
    const { cleo, at } = await parted(cleoIs, bramIs);
    const heard = await hears(cleo, at);
    const words = waysTo(PARTED, heard);
    // A discussion keeps its place in the lists and its title, as posts keep their numbers.
    expect(words.filter((name) => !TITLED.includes(name))).toEqual([]);
    for (const name of words) expect([name, heard[name]!.replaceAll(TITLE, "").includes(PARTED)]).toEqual([name, false]);
    for (const name of FOUND) expect([name, words.includes(name)]).toEqual([name, false]);
  });

  test.each(["moderator", "staff"] as const)("who looks after the place as %s reads it past the block", async (it) => {
    const { cleo, at } = await parted(it);
    expect(waysTo(PARTED, await hears(cleo, at))).toEqual(
      expect.arrayContaining(["posts", "post", "discussions", "members", "post, as a record"]),
    );
  });

  test("the one who blocks hears the words of the other nowhere, unless they ask for one post", async () => {
    const { bram, cleo, at } = await parted("member");
    await within((tx) => run(tx, sql`delete from blocks`));
    const word = "Wacholder";
    const answer = await aReply(database, cleo, at.discussionId, { body: word });
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    expect(waysTo(word, await hears(bram, { ...at, replyId: answer.id, postId: answer.id }))).toEqual(["reply, revealed"]);
  });

  test("everybody else hears both", async () => {
    const { noor, at } = await parted();
    expect(waysTo(PARTED, await hears(noor, at)).length).toBeGreaterThan(3);
  });
});
