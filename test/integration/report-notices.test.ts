import { expect, test } from "vitest";
import { run, sql, type Tx } from "#platform/database";
import { deleteDiscussion, deletePost } from "#community/discussions";
import {
  getConversation,
  getMessagesPage,
  NewConversation,
  startConversation,
} from "#community/conversations";
import {
  appealRemoval,
  reportGroup,
  reportMessages,
  reportPerson,
  reportPost,
  reportResource,
  resolveCase,
} from "#community/moderation";
import { getHomeSidebar, listNotifications } from "#community/notifications";
import { addLink, NewLink } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { dispatchEvents, redispatchEvents, describeDeliveries } from "../support/notifications/deliveries.ts";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const within = database.inTransaction;
const deliveriesTo = (who: { id: string }) => describeDeliveries(database, who);

const reported = async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, ines } = people;
  await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) =>
    startConversation(tx, tomas, NewConversation.parse({ to: "mira", body: "You fool." })),
  );
  const conversation = await getConversation(database.db, mira, id);
  const messageIds = (await getMessagesPage(database.db, mira, conversation)).messages.map((it) => it.id);
  const report = await within((tx) =>
    reportMessages(tx, mira, { conversationId: id, messageIds, reason: "Rude." }),
  );
  await dispatchEvents(database);
  const end = () =>
    within((tx) => resolveCase(tx, ines, { caseId: report.id, outcome: "upheld", note: "", reason: "" }));
  return { ...people, end };
};

test("a report notifies moderators until it is closed, and its reporter is notified of the outcome", async () => {
  const { mira, tomas, ines, ada, end } = await reported();
  for (const who of [ines, ada]) expect(await deliveriesTo(who)).toEqual(["report staff"]);
  expect(await deliveriesTo(mira)).toEqual(["message_request participant"]);
  expect((await getHomeSidebar(database.db, ines, database.clock.at)).waiting.reports).toBe(1);
  await end();
  await dispatchEvents(database);
  for (const who of [ines, ada]) expect(await deliveriesTo(who)).toEqual(["report staff read"]);
  expect(await deliveriesTo(mira)).toEqual(["message_request participant", "report_decision you_reported"]);
  expect(await deliveriesTo(tomas)).toEqual([]);
  expect((await listNotifications(database.db, mira, { tab: "all" })).rows).toHaveLength(2);
  expect((await getHomeSidebar(database.db, ines, database.clock.at)).waiting.reports).toBe(0);
});

test("former staff, and staff involved in a report, get no notifications of it", async () => {
  const { tomas, ines } = await reported();
  expect((await listNotifications(database.db, ines, { tab: "all" })).rows).toHaveLength(1);
  await run(database.db, sql`update people set site_role = 'member' where id = ${ines.id}`);
  expect((await listNotifications(database.db, { ...ines, role: "member" }, { tab: "all" })).rows).toEqual(
    [],
  );
  await run(database.db, sql`update people set site_role = 'moderator' where id = ${tomas.id}`);
  await redispatchEvents(database);
  expect(await deliveriesTo(tomas)).toEqual([]);
});

test("a report of a resource notifies its moderators, and never the person reported", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor, ines, ada } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  for (const [who, as] of [
    [noor, "member"],
    [ada, "moderator"],
  ] as const)
    await within((tx) => setMembership(tx, group.id, who, as));
  const wish = NewLink.parse({ title: "Beans", url: "https://example.org/", groupId: group.id });
  const link = await within((tx) => addLink(tx, noor, wish));
  await dispatchEvents(database);
  const deliveriesAfter = async (act: (tx: Tx) => Promise<{ id: string }>) => {
    await run(database.db, sql`delete from notifications`);
    await within(act);
    await dispatchEvents(database);
    return Promise.all([mira, tomas, noor, ines, ada].map(deliveriesTo));
  };
  const reason = "It sells beans.";
  const ofResource = await deliveriesAfter((tx) => reportResource(tx, mira, { resourceId: link.id, reason }));
  expect(ofResource).toEqual([[], ["report you_lead"], [], ["report staff"], ["report you_lead"]]);
  expect(await deliveriesAfter((tx) => reportGroup(tx, mira, { groupId: group.id, reason }))).toEqual([
    [],
    [],
    [],
    ["report staff"],
    [],
  ]);
  expect(await deliveriesAfter((tx) => reportPerson(tx, mira, { personId: ines.id, reason }))).toEqual([
    [],
    [],
    [],
    [],
    ["report staff"],
  ]);
});

test("a report of a post notifies the group's moderators, as long as they moderate", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor, ines } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const discussion = await createTestDiscussion(database, mira, group.id);
  const post = await createTestReply(database, noor, discussion.id);
  await dispatchEvents(database);
  await run(database.db, sql`delete from notifications`);
  const { id } = await within((tx) => reportPost(tx, mira, { postId: post.id, reason: "It sells beans." }));
  await dispatchEvents(database);
  expect(await deliveriesTo(tomas)).toEqual(["report you_lead"]);
  expect(await deliveriesTo(ines)).toEqual(["report staff"]);
  for (const who of [mira, noor]) expect(await deliveriesTo(who)).toEqual([]);
  const waiting = async (who: SignedIn) =>
    (await getHomeSidebar(database.db, who, database.clock.at)).waiting.reports;
  expect([await waiting(tomas), await waiting(ines), await waiting(noor), await waiting(mira)]).toEqual([
    1, 1, 0, 0,
  ]);
  // Two reports about one post are one pending case, which no reporter of it sees.
  await within((tx) => reportPost(tx, tomas, { postId: post.id, reason: "So I think." }));
  expect([await waiting(tomas), await waiting(ines)]).toEqual([0, 1]);
  expect((await listNotifications(database.db, tomas, { tab: "all" })).rows).toEqual([]);
  await within((tx) =>
    resolveCase(tx, ines, { caseId: id, outcome: "removed", note: "", reason: "No shops." }),
  );
  await dispatchEvents(database);
  expect(await deliveriesTo(mira)).toEqual(["report_decision you_reported"]);
  expect((await listNotifications(database.db, tomas, { tab: "all" })).rows).toMatchObject([
    { kind: "report_decision" },
  ]);
  expect(await deliveriesTo(noor)).toEqual(["post_removed your_post"]);
  expect(await waiting(ines)).toBe(0);
});

test("an appeal against a removal notifies other moderators than the remover", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor, ines } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, noor, "moderator"));
  const discussion = await createTestDiscussion(database, tomas, group.id);
  const post = await createTestReply(database, mira, discussion.id);
  await within((tx) => deletePost(tx, tomas, { postId: post.id, reason: "No shops." }));
  await dispatchEvents(database);
  await run(database.db, sql`delete from notifications`);
  const { id } = await within((tx) => appealRemoval(tx, mira, { postId: post.id, text: "They are free." }));
  await dispatchEvents(database);
  for (const who of [noor, ines]) {
    const { rows } = await listNotifications(database.db, who, { tab: "all" });
    expect(rows).toMatchObject([{ kind: "report", detail: "appeal", words: "", actors: [] }]);
  }
  for (const who of [tomas, mira]) expect(await deliveriesTo(who)).toEqual([]);
  const waiting = async (who: SignedIn) =>
    (await getHomeSidebar(database.db, who, database.clock.at)).waiting.reports;
  expect([await waiting(noor), await waiting(ines), await waiting(tomas)]).toEqual([1, 1, 0]);
  await within((tx) =>
    resolveCase(tx, noor, { caseId: id, outcome: "rejected", note: "", reason: "It was one." }),
  );
  await dispatchEvents(database);
  const { rows } = await listNotifications(database.db, mira, { tab: "all" });
  expect(rows).toMatchObject([
    { kind: "report_decision", reason: "you_asked", detail: "appeal rejected", words: "It was one." },
  ]);
  expect([await waiting(noor), await waiting(ines)]).toEqual([0, 0]);
});

test("the answer to an appeal is the only notification about a restored post", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, noor, "moderator"));
  const discussion = await createTestDiscussion(database, mira, group.id);
  const post = await createTestReply(database, mira, discussion.id);
  const removals = [
    {
      postId: post.id,
      remove: () => within((tx) => deletePost(tx, tomas, { postId: post.id, reason: "No shops." })),
    },
    {
      postId: discussion.postId,
      remove: () =>
        within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "No shops." })),
    },
  ];
  for (const { postId, remove } of removals) {
    await remove();
    await dispatchEvents(database);
    const { id } = await within((tx) => appealRemoval(tx, mira, { postId, text: "They are free." }));
    await within((tx) =>
      resolveCase(tx, noor, { caseId: id, outcome: "restored", note: "", reason: "So they are." }),
    );
    await dispatchEvents(database);
    const { rows } = await listNotifications(database.db, mira, { tab: "all" });
    expect(rows).toMatchObject([{ kind: "report_decision", detail: "appeal upheld", words: "So they are." }]);
    await run(database.db, sql`delete from notifications`);
    database.clock.pass(1_000);
  }
});

test("a former moderator no longer sees notifications about reported posts", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, noor, "moderator"));
  const post = await createTestReply(
    database,
    mira,
    (await createTestDiscussion(database, mira, group.id)).id,
  );
  await within((tx) => reportPost(tx, tomas, { postId: post.id, reason: "It sells beans." }));
  await dispatchEvents(database);
  const shown = async () =>
    (await listNotifications(database.db, noor, { tab: "all" })).rows.filter(({ kind }) => kind === "report")
      .length;
  expect([
    await shown(),
    (await getHomeSidebar(database.db, noor, database.clock.at)).waiting.reports,
  ]).toEqual([1, 1]);
  await run(database.db, sql`update memberships set role = 'member' where person_id = ${noor.id}`);
  expect([
    await shown(),
    (await getHomeSidebar(database.db, noor, database.clock.at)).waiting.reports,
  ]).toEqual([0, 0]);
});
