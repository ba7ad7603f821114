import { afterEach, beforeEach, expect, test } from "vitest";
import {
  fetchLinkPreview,
  NewReply,
  replyOrAwaitApproval,
  returnPendingPost,
  withdrawPendingPost,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  waitForConnect,
  waitForDisconnect,
  type TestConnection,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
let group: { id: string };
let discussion: { id: string; postId: string };
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  group = await createTestGroup(database, people);
  discussion = await createTestDiscussion(database, people.mira, group.id);
});
afterEach(() => line.close());

/** Connects a person who has the discussion `id` open, with subscriptions to posts and own notifications. */
async function openDiscussion(viewer: Viewer, id: string) {
  const socket = await line.socket(viewer);
  const over = waitForDisconnect(socket);
  await waitForConnect(socket);
  const page = collectAnswers(socket);
  const [made, changed] = ["created", "updated"].map((event) =>
    page.follow("Posts", event, `discussionId = '${id}'`),
  );
  const own = page.subscribe("PUB_SUB_MESSAGES", { channel: `user:${viewer.id}` });
  for (const received of [made!, changed!, own]) expect((await received.next()).event).toBe("SUB_READY");
  /** The next visible reply, or how the connection ended. */
  const nextEvent = () => Promise.race([made!.next().then(({ data }) => data), over]);
  return { nextEvent, changed: changed!, over };
}

test("pending, returned or withdrawn post causes no event and ends no connection", async () => {
  const nora = await within((tx) => createPerson(tx, "nora", "member", "new"));
  await within((tx) => setMembership(tx, group.id, nora, "member"));
  await line.set({ firstPosts: "all" });
  const tomas = await openDiscussion(people.tomas, discussion.id);
  const wait = async () => {
    const reply = await within((tx) =>
      replyOrAwaitApproval(
        tx,
        nora,
        NewReply.parse({ discussionId: discussion.id, body: "Hello, all of you." }),
      ),
    );
    return { pendingPostId: (reply as { waits: string }).waits };
  };
  await wait().then((held) => within((tx) => withdrawPendingPost(tx, nora, held)));
  await wait().then((held) =>
    within((tx) => returnPendingPost(tx, people.tomas, { ...held, answer: "Complete your profile." })),
  );
  await line.idle();
  await createTestReply(database, people.mira, discussion.id);
  expect(await tomas.nextEvent()).toMatchObject({ number: 2 });
  expect(tomas.changed.all).toHaveLength(1);
});

test("link preview is delivered only to people who can read the discussion", async () => {
  const inside = await createTestGroup(database, people, { visibility: "private", name: "Inside" });
  const there = await createTestDiscussion(database, people.mira, inside.id, {
    body: "https://example.org/beans",
  });
  const noor = people.noor;
  await within((tx) => setMembership(tx, inside.id, noor, "member"));
  const [tomas, once] = [await openDiscussion(people.tomas, there.id), await openDiscussion(noor, there.id)];
  // No event reports this change, so the permission has to be checked again on delivery.
  await run(database.db, sql`update memberships set state = 'left' where person_id = ${noor.id}`);
  const page = async (url: string) => ({ url, html: "<title>Beans</title>" });
  await fetchLinkPreview(database, { page }, "https://example.org/beans");
  expect((await tomas.changed.next()).data).toMatchObject({ objectId: there.postId, discussionId: there.id });
  await line.idle();
  expect(once.changed.all).toHaveLength(1);
});

test("event that cannot be delivered disconnects only the affected clients", async () => {
  const other = await createTestDiscussion(database, people.mira, group.id);
  const [tomas, noor] = [
    await openDiscussion(people.tomas, discussion.id),
    await openDiscussion(people.noor, other.id),
  ];
  const ids = { discussionId: discussion.id, groupId: group.id, postId: "none that there is" };
  line.realtime.deliver({ type: "post.edited", ...ids, by: people.mira.id }, "1", null);
  await line.idle();
  await createTestReply(database, people.tomas, other.id);
  expect(await noor.nextEvent()).toMatchObject({ number: 2 });
  expect(await tomas.over).toBe("io server disconnect");
});
