import { describe, expect, test } from "vitest";
import {
  activateAutomation,
  triggerAutomations,
  listRuns,
  getRun,
  changeAutomation,
  getAutomation,
} from "#baas/automations";
import { deletePost, editPost, moveDiscussion } from "#community/discussions";
import { many, run, sql } from "#platform/database";
import { emit, type DomainEvent } from "#platform/outbox";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
} from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../../test/support/leak-matrix/marker-words.ts";
import {
  listRunTriggers,
  deliverEvents,
  database,
  testApi,
  listTriggerEvents,
  listenToTable,
  createTestAutomation,
  tableTrigger,
  people,
  runSteps,
} from "../../../../test/support/rest/entity-automations.ts";

const within = database.inTransaction;
const ENTITIES = ["Users", "Groups", "Discussions", "Posts", "Resources", "Comments"];
const ALL = ["created", "updated", "deleted"];
const TRUSTED = { personId: null, roles: [], server: true, trusted: true };
/** The data of all runs, as text. */
const known = async () =>
  JSON.stringify(await many(database.db, sql`select context, brought from automation_runs`));

describe("entity events for automations", () => {
  const [OPEN, SHUT, HIDDEN] = ["public", "private", "secret"] as const;
  /** Expected visibility of a group's name, its content, deleted content and private messages. */
  const PROMISE = [
    ["system", OPEN, [GROUP_NAME, INSIDE_WORD, DELETED_WORD]],
    ["system", SHUT, [GROUP_NAME]],
    ["system", HIDDEN, []],
    ["starter", OPEN, [GROUP_NAME, INSIDE_WORD]],
    ["starter", SHUT, [GROUP_NAME]],
    ["starter", HIDDEN, []],
  ] as const;

  test.each(PROMISE)(
    "with the rights of the %s in a %s group contain exactly the texts that these rights allow",
    async (rights, visibility, promised) => {
      for (const table of ENTITIES) await listenToTable(table, { events: ALL }, { rights });
      await createLeakCommunity(database, people, visibility);
      await deliverEvents();
      const triggerData = await known();
      expect(triggerData).toContain("For everybody");
      expect(
        [GROUP_NAME, INSIDE_WORD, DELETED_WORD, PRIVATE_WORD].filter((word) => triggerData.includes(word)),
      ).toEqual(promised);
      expect(triggerData).not.toContain("@example.org");
    },
  );

  test.each(["private", "secret"] as const)("do not include deletions in a %s group", async (visibility) => {
    const ids = await Promise.all(
      ["Discussions", "Posts", "Resources", "Comments"].map((table) =>
        listenToTable(table, { events: ["deleted"] }),
      ),
    );
    const group = await createTestGroup(database, people, { visibility });
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const reply = await createTestReply(database, people.mira, discussion.id);
    await within((tx) => deletePost(tx, people.mira, { postId: reply.id }));
    await within((tx) => deletePost(tx, people.mira, { postId: discussion.postId }));
    await deliverEvents();
    for (const id of ids) expect(await listTriggerEvents(id)).toEqual([]);
  });

  test("reach only automations of the new group after content was moved", async () => {
    const [from, into] = [
      await createTestGroup(database, people),
      await createTestGroup(database, people, { name: "The Orchard" }),
    ];
    const discussion = await createTestDiscussion(database, people.mira, from.id);
    await deliverEvents();
    const of = (entity: string, groupId: string) =>
      listenToTable(entity, { events: ALL, where: `groupId = '${groupId}'` });
    const first = [await of("Discussions", from.id), await of("Posts", from.id)];
    const [talk, posts] = [await of("Discussions", into.id), await of("Posts", into.id)];
    const reply = await createTestReply(database, people.mira, discussion.id);
    const move = {
      discussionId: discussion.id,
      groupId: into.id,
      visibility: "public",
      reason: "Ours.",
    } as const;
    await within((tx) => moveDiscussion(tx, people.tomas, move));
    await within((tx) => editPost(tx, people.mira, { postId: reply.id, body: "Later.", version: 1 }));
    await deliverEvents();
    for (const id of first) expect(await listTriggerEvents(id)).toEqual([]);
    expect(await listTriggerEvents(talk)).toContainEqual(["updated", discussion.id]);
    expect(await listTriggerEvents(posts)).toContainEqual(["updated", reply.id]);
    await within((tx) => deletePost(tx, people.mira, { postId: reply.id }));
    await deliverEvents();
    expect(await listTriggerEvents(posts)).toContainEqual(["deleted", reply.id]);
    for (const id of first) expect(await listTriggerEvents(id)).toEqual([]);
  });

  test("stop when content moves to a private group", async () => {
    const id = await listenToTable("Discussions", { events: ALL });
    const [open, shut] = [
      await createTestGroup(database, people),
      await createTestGroup(database, people, { visibility: "private", name: "Shut" }),
    ];
    const discussion = await createTestDiscussion(database, people.mira, open.id);
    await within((tx) =>
      moveDiscussion(tx, people.tomas, {
        discussionId: discussion.id,
        groupId: shut.id,
        visibility: "private",
        reason: "Ours.",
      }),
    );
    await deliverEvents();
    expect(await listTriggerEvents(id)).toEqual([]);
  });
});

describe("automation with the rights of an anonymous starter", () => {
  const starter = { rights: "starter" };

  test("receives what anonymous callers may read", async () => {
    const [groups, users, posts] = await Promise.all(
      ["Groups", "Users", "Posts"].map((table) => listenToTable(table, { events: ALL }, starter)),
    );
    const group = await createTestGroup(database, people);
    const secret = await createTestGroup(database, people, { visibility: "secret" });
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    await createTestDiscussion(database, people.mira, secret.id);
    await run(
      database.db,
      sql`update people set privacy = '{"profile": "everyone"}' where id = ${people.tomas.id}`,
    );
    for (const viewer of [people.mira, people.tomas])
      await within((tx) => emit(tx, { type: "person.changed", personId: viewer.id }));
    await deliverEvents();
    expect(await listTriggerEvents(groups!)).toEqual([["created", group.id]]);
    expect(await listTriggerEvents(posts!)).toEqual([["created", discussion.postId]]);
    expect(await listTriggerEvents(users!)).toEqual([["updated", people.tomas.id]]);
    expect((await listRunTriggers(users!))[0]!.record).toMatchObject({
      userStatus: null,
      blUserLocale: null,
      lastLogin: null,
    });
  });

  test("receives nothing from a private community", async () => {
    const [guest, app] = [await listenToTable("Groups", {}, starter), await listenToTable("Groups")];
    await testApi.set({ audience: "private" });
    const group = await createTestGroup(database, people);
    await deliverEvents();
    expect(await listTriggerEvents(guest)).toEqual([]);
    expect(await listTriggerEvents(app)).toEqual([["created", group.id]]);
  });

  test("continues a run with its original rights, even if the automation has been given more", async () => {
    const definition = {
      rights: "starter",
      triggers: [
        { kind: "call", name: "call" },
        tableTrigger("Users", { events: ["updated"], starts: false }),
      ],
      steps: [{ kind: "wait", for: "it", as: "heard" }],
    };
    const id = await createTestAutomation(definition);
    const before = await activateAutomation(testApi.app.flows, TRUSTED, { id }, {});
    await runSteps();
    await changeAutomation(testApi.app.flows, id, {
      definition: { ...(await getAutomation(testApi.app.flows, { id })).definition, rights: "system" },
    });
    testApi.app.flows.watched.forget();
    const after = await activateAutomation(testApi.app.flows, TRUSTED, { id }, {});
    await runSteps();
    await run(
      database.db,
      sql`update people set privacy = '{"profile": "everyone"}' where id = ${people.tomas.id}`,
    );
    const update = async (personId: string) => {
      await within((tx) => emit(tx, { type: "person.changed", personId }));
      await deliverEvents();
      await runSteps();
    };
    await update(people.mira.id);
    expect(await getRun(testApi.app.flows, before)).toMatchObject({ state: "waiting" });
    expect(await getRun(testApi.app.flows, after)).toMatchObject({
      state: "done",
      context: { heard: { record: { userStatus: "ENABLED" } } },
    });
    await update(people.tomas.id);
    expect(await getRun(testApi.app.flows, before)).toMatchObject({
      state: "done",
      context: { heard: { record: { userStatus: null } } },
    });
  });
});

describe("entity change", () => {
  test("starts each matching trigger of an automation once, however often it is delivered", async () => {
    const id = await createTestAutomation({
      triggers: [tableTrigger("Posts"), { ...tableTrigger("Discussions"), name: "other" }],
    });
    const group = await createTestGroup(database, people);
    await createTestDiscussion(database, people.mira, group.id);
    await deliverEvents();
    const events = await many(
      database.db,
      sql<{ id: string; payload: DomainEvent }>`select id, payload from outbox order by id`,
    );
    for (const it of events) await triggerAutomations(testApi.app.flows, it.payload, it.id);
    expect((await listRuns(testApi.app.flows, id)).rows.map(({ trigger }) => trigger).toSorted()).toEqual([
      "it",
      "other",
    ]);
  });

  test("starts nothing when the condition is false or invalid", async () => {
    const group = await createTestGroup(database, people);
    const ids = await Promise.all(
      [`number > 1`, `number = 1`, `nowhere = 1`, `group.name = 'x'`, `text > 5`].map((where) =>
        listenToTable("Posts", { where }),
      ),
    );
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const reply = await createTestReply(database, people.tomas, discussion.id);
    await deliverEvents();
    expect(await Promise.all(ids.map(listTriggerEvents))).toEqual([
      [["created", reply.id]],
      [["created", discussion.postId]],
      [],
      [],
      [],
    ]);
  });
});
