import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import {
  addCommentOrAwaitApproval,
  PendingPostReturn,
  approvePendingPost,
  markRead,
  NewComment,
  NewReply,
  replyOrAwaitApproval,
  returnPendingPost,
  withdrawPendingPost,
} from "#community/discussions";
import { blockPerson } from "#community/friends";
import { addDocument, NewDocument } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { setMembership, createPerson } from "../../../../test/support/test-users.ts";
import { listNotifications } from "../index.ts";
import { dispatchEvents, redispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import {
  database,
  createTestTalk,
  listDeliveries,
  within,
} from "../../../../test/support/notifications/notification-setup.ts";

const lines = async (viewer: SignedIn, tab: "all" | "requests" = "all") =>
  (await listNotifications(database.db, viewer, { tab })).rows;

/** Tomas owns the group, Elsa moderates it, Nora is new there and has posted. */
async function scene(visibility: "public" | "private" = "private") {
  const it = await createTestTalk(visibility);
  await run(
    database.db,
    sql`insert into settings (key, value, changed_at) values ('firstPosts', '"first"', now())`,
  );
  const { nora, elsa } = await within(async (tx) => ({
    nora: await createPerson(tx, "nora", "member", "new"),
    elsa: await createPerson(tx, "elsa"),
  }));
  await within((tx) => setMembership(tx, it.group.id, nora, "member"));
  await within((tx) => setMembership(tx, it.group.id, elsa, "moderator"));
  const submitReply = async (body = "Hello.") => {
    const reply = await within((tx) =>
      replyOrAwaitApproval(tx, nora, NewReply.parse({ discussionId: it.discussion.id, body })),
    );
    return "waits" in reply ? reply.waits : "";
  };
  const pendingPostId = await submitReply();
  await dispatchEvents(database);
  return { ...it, nora, elsa, submitReply, pendingPostId };
}
const of = async (viewer: SignedIn) => (await listDeliveries(viewer)).filter((it) => it.startsWith("post_"));

test("a pending post notifies all moderators once, even across a block, without naming its author", async () => {
  const { nora, tomas, elsa, mira, ada, group, pendingPostId, submitReply } = await scene();
  await redispatchEvents(database);
  for (const viewer of [tomas, elsa]) expect(await of(viewer)).toEqual(["post_waits you_lead"]);
  for (const viewer of [mira, nora, ada]) expect(await of(viewer)).toEqual([]);
  expect(await lines(tomas, "requests")).toMatchObject([
    { kind: "post_waits", actors: [], object: { kind: "group", id: group.id }, group: { slug: group.slug } },
  ]);
  await within((tx) => blockPerson(tx, nora, { personId: elsa.id }));
  const second = await submitReply("And more.");
  await dispatchEvents(database);
  expect(await of(elsa)).toEqual(["post_waits you_lead ×2"]);
  await within((tx) => approvePendingPost(tx, tomas, { pendingPostId }));
  await dispatchEvents(database);
  for (const viewer of [tomas, elsa]) expect(await of(viewer)).toEqual(["post_waits you_lead ×2"]);
  await within((tx) => withdrawPendingPost(tx, nora, { pendingPostId: second }));
  await dispatchEvents(database);
  for (const viewer of [tomas, elsa])
    expect((await of(viewer)).filter((it) => !it.includes("read"))).toEqual([]);
});

test("an approved post notifies its author with a link, even if they have read later posts", async () => {
  const { nora, tomas, discussion, pendingPostId } = await scene();
  await within((tx) => approvePendingPost(tx, tomas, { pendingPostId }));
  await dispatchEvents(database);
  await within((tx) => markRead(tx, nora, { discussionId: discussion.id, upTo: 9 }));
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect((await lines(nora)).filter(({ kind }) => kind === "post_decided")).toMatchObject([
    {
      detail: "approved",
      reason: "your_post",
      actors: [],
      number: 2,
      object: { kind: "discussion", id: discussion.id, title: "When to sow beans" },
      unread: true,
    },
  ]);
});

test("a returned post notifies its author with the reason", async () => {
  const { nora, tomas, pendingPostId } = await scene();
  await within((tx) =>
    returnPendingPost(
      tx,
      tomas,
      PendingPostReturn.parse({ pendingPostId, answer: "Complete your profile." }),
    ),
  );
  await dispatchEvents(database);
  expect(await lines(nora)).toMatchObject([
    {
      kind: "post_decided",
      detail: "returned",
      words: "Complete your profile.",
      actors: [],
      object: { title: "When to sow beans" },
    },
  ]);
  expect((await of(tomas)).filter((it) => !it.includes("read"))).toEqual([]);
});

test("a notification of the decision omits a title that its author can no longer read", async () => {
  const { nora, tomas, group, pendingPostId } = await scene();
  await within((tx) => setMembership(tx, group.id, nora, "left"));
  await within((tx) =>
    returnPendingPost(tx, tomas, PendingPostReturn.parse({ pendingPostId, answer: "Come back first." })),
  );
  await dispatchEvents(database);
  expect((await lines(nora)).map(({ words, object }) => [words, object.title])).toEqual([
    ["Come back first.", ""],
  ]);
});

test("a post pending under a resource outside groups notifies staff", async () => {
  const { nora, mira, tomas, ines, ada } = await scene();
  const { id: resourceId } = await within((tx) =>
    addDocument(tx, mira, NewDocument.parse({ title: "How to sow", body: "In rows." })),
  );
  const comment = await within((tx) =>
    addCommentOrAwaitApproval(tx, nora, NewComment.parse({ resourceId, body: "Good." })),
  );
  await dispatchEvents(database);
  for (const viewer of [ines, ada]) expect(await of(viewer)).toEqual(["post_waits staff"]);
  expect((await lines(ada)).find(({ kind }) => kind === "post_waits")).toMatchObject({
    object: { kind: "resource", title: "How to sow" },
    group: null,
  });
  expect(await of(tomas)).toEqual(["post_waits you_lead"]);
  await within((tx) =>
    approvePendingPost(tx, ines, { pendingPostId: "waits" in comment ? comment.waits : "" }),
  );
  await dispatchEvents(database);
  expect((await of(ada)).filter((it) => !it.includes("read"))).toEqual([]);
  expect((await lines(nora)).find(({ kind }) => kind === "post_decided")).toMatchObject({
    detail: "approved",
    number: 1,
    object: { kind: "resource", title: "How to sow" },
  });
});
