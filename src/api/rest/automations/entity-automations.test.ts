import { describe, expect, test } from "vitest";
import { deleteDiscussion, deletePost, editPost, PostEdit, restorePost } from "#community/discussions";
import { deleteGroup, updateGroup } from "#community/groups";
import { addDocument, addComment, editResource, removeResource, ResourceChange } from "#community/resources";
import { many, run, sql } from "#platform/database";
import { emit, type DomainEvent } from "#platform/outbox";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
} from "../../../../test/support/test-users.ts";
import {
  listRunTriggers,
  deliverEvents,
  database,
  testApi,
  listTriggerEvents,
  listenToTable,
  mails,
  people,
  runSteps,
} from "../../../../test/support/rest/entity-automations.ts";
import { PASSWORD } from "../../../../test/support/rest/rest-server.ts";
import { setUserStatus } from "#community/accounts";

const within = database.inTransaction;
const ALL = ["created", "updated", "deleted"];
const REASON = "It is better so.";

describe("automations on people", () => {
  test("can email a new member without storing the address in the run", async () => {
    await testApi.set({ registration: "open", confirmAddress: false });
    const id = await listenToTable(
      "Users",
      {},
      {
        steps: [
          {
            kind: "mail",
            to: "{{trigger.data.record.objectId}}",
            subject: "Welcome, {{trigger.data.record.name}}",
            text: "Hello.",
          },
        ],
      },
    );
    await testApi.sdk().UserService.register({ email: "ana@example.org", password: PASSWORD, name: "Ana" });
    await deliverEvents();
    await runSteps();
    const [it, ...more] = await listRunTriggers(id);
    expect(more).toEqual([]);
    expect(it).toMatchObject({
      event: "created",
      table: "Users",
      record: { ___class: "Users", name: "Ana", userStatus: "ENABLED" },
    });
    expect(mails).toEqual([{ to: it!.record["objectId"], subject: "Welcome, Ana" }]);
    const runs = await many(database.db, sql<{ context: string }>`select context from automation_runs`);
    expect(JSON.stringify(runs)).not.toContain("ana@example.org");
  });

  test("start for a new member only after the email address is confirmed", async () => {
    await testApi.set({ registration: "open", confirmAddress: true });
    const any = await listenToTable("Users");
    const ours = await listenToTable("Users", { where: "email LIKE '%@example.org'" });
    const others = await listenToTable("Users", { where: "email LIKE '%@example.com'" });
    const user = (await testApi
      .sdk()
      .UserService.register({ email: "ana@example.org", password: PASSWORD, name: "Ana" } as never)) as {
      objectId: string;
    };
    await deliverEvents();
    expect(await listRunTriggers(any)).toEqual([]);
    await setUserStatus(testApi.app, people.ada, user.objectId, "ENABLED");
    await deliverEvents();
    expect([
      await listTriggerEvents(any),
      await listTriggerEvents(ours),
      await listTriggerEvents(others),
    ]).toEqual([[["created", user.objectId]], [["created", user.objectId]], []]);
  });

  test("start after a change, ban or deletion of a person, but not for private data", async () => {
    const id = await listenToTable("Users", { events: ALL });
    const left = await listenToTable("Users", { events: ["updated"], where: "userStatus = 'DISABLED'" });
    const emitEvent = (domainEvent: DomainEvent) => within((tx) => emit(tx, domainEvent));
    for (const type of [
      "changed",
      "security",
      "password-changed",
      "second-step-changed",
      "sessions-ended",
      "muted",
      "filtered",
    ])
      await emitEvent({ type: `person.${type}`, personId: people.mira.id, by: people.mira.id });
    await emitEvent({ type: "person.blocked", personId: people.mira.id, by: people.tomas.id });
    await run(database.db, sql`update people set state = 'suspended' where id = ${people.mira.id}`);
    await emitEvent({
      type: "person.status-changed",
      personId: people.mira.id,
      state: "suspended",
      by: people.ada.id,
    });
    await deliverEvents();
    await run(database.db, sql`update people set state = 'erased' where id = ${people.mira.id}`);
    await emitEvent({ type: "person.erased", personId: people.mira.id });
    await deliverEvents();
    const mira = people.mira.id;
    expect(await listTriggerEvents(id)).toEqual([
      ["updated", mira],
      ["updated", mira],
      ["deleted", mira],
    ]);
    expect((await listRunTriggers(id))[2]).toEqual({
      event: "deleted",
      table: "Users",
      record: { ___class: "Users", objectId: mira },
    });
    expect(await listTriggerEvents(left)).toEqual([
      ["updated", mira],
      ["updated", mira],
    ]);
  });
});

describe("automations on posts in a public group", () => {
  test("start after a new discussion in that group and in no other", async () => {
    const [here, there] = [
      await createTestGroup(database, people),
      await createTestGroup(database, people, { name: "Elsewhere" }),
    ];
    const id = await listenToTable(
      "Discussions",
      { where: `groupId = '${here.id}'` },
      {
        steps: [{ kind: "message", channel: "news", message: "{{trigger.data.record.title}}" }],
      },
    );
    await createTestDiscussion(database, people.mira, there.id, { title: "Not for us" });
    const { id: discussionId } = await createTestDiscussion(database, people.mira, here.id, {
      title: "When to sow beans",
    });
    const messages: unknown[] = [];
    const listener = ({ message }: { message: { message: unknown } }) => void messages.push(message.message);
    testApi.app.channels.listeners.add(listener);
    await deliverEvents();
    await runSteps();
    testApi.app.channels.listeners.delete(listener);
    expect(await listTriggerEvents(id)).toEqual([["created", discussionId]]);
    expect(messages).toEqual(["When to sow beans"]);
  });

  test("start after a new, edited, removed and restored post", async () => {
    const group = await createTestGroup(database, people);
    const id = await listenToTable("Posts", { events: ALL });
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const reply = await createTestReply(database, people.mira, discussion.id, {
      body: "After the ice saints.",
    });
    await deliverEvents();
    await within((tx) =>
      editPost(tx, people.mira, PostEdit.parse({ postId: reply.id, body: "Long after.", version: 1 })),
    );
    await deliverEvents();
    await within((tx) => deletePost(tx, people.tomas, { postId: reply.id, reason: REASON }));
    await deliverEvents();
    await within((tx) => restorePost(tx, people.tomas, { postId: reply.id, reason: REASON }));
    await deliverEvents();
    const all = await listRunTriggers(id);
    expect(all.map(({ event, record }) => [event, record["objectId"], record["text"]])).toEqual([
      ["created", discussion.postId, "The soil is still cold."],
      ["created", reply.id, "After the ice saints."],
      ["updated", reply.id, "Long after."],
      ["deleted", reply.id, undefined],
      ["created", reply.id, "Long after."],
    ]);
    // A deleted record passes on only its id and container.
    expect(all[3]!.record).toEqual({
      ___class: "Posts",
      objectId: reply.id,
      discussionId: discussion.id,
      groupId: group.id,
    });
  });

  test("start for a reply as an update of the discussion", async () => {
    const group = await createTestGroup(database, people);
    const id = await listenToTable("Discussions", {
      events: ["updated", "deleted"],
      where: `groupId = '${group.id}'`,
    });
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    await createTestReply(database, people.mira, discussion.id);
    await deliverEvents();
    await within((tx) => deleteDiscussion(tx, people.tomas, { discussionId: discussion.id, reason: REASON }));
    await deliverEvents();
    expect(await listTriggerEvents(id)).toEqual([
      ["updated", discussion.id],
      ["deleted", discussion.id],
    ]);
  });

  test("receive the current content, truncated when it is long", async () => {
    const group = await createTestGroup(database, people);
    const id = await listenToTable("Posts", { where: "text LIKE '%the end'" });
    const [discussion, gone] = [
      await createTestDiscussion(database, people.mira, group.id, { body: `${"x".repeat(30_000)} the end` }),
      await createTestDiscussion(database, people.mira, group.id, {
        title: "Never mind",
        body: "This is the end",
      }),
    ];
    await within((tx) => deleteDiscussion(tx, people.tomas, { discussionId: gone.id, reason: REASON }));
    await deliverEvents();
    const [long, ...more] = await listRunTriggers(id);
    expect([long!.record["objectId"], (long!.record["text"] as string).length]).toEqual([
      discussion.postId,
      16_000,
    ]);
    // Admins can read what was deleted in a public group.
    expect(more.map(({ record }) => record["objectId"])).toEqual([gone.postId]);
  });
});

describe("automations on groups and resources", () => {
  test("start when a group is created, updated or deleted", async () => {
    const id = await listenToTable("Groups", { events: ALL });
    const group = await createTestGroup(database, people, { name: "Seed swap" });
    await deliverEvents();
    await within((tx) => updateGroup(tx, people.tomas, { groupId: group.id, purpose: "Beans." }));
    await deliverEvents();
    await within((tx) => deleteGroup(tx, people.tomas, { groupId: group.id, reason: REASON }));
    await deliverEvents();
    const all = await listRunTriggers(id);
    expect(all.map(({ event, record }) => [event, record["name"], record["purpose"]])).toEqual([
      ["created", "Seed swap", ""],
      ["updated", "Seed swap", "Beans."],
      ["deleted", undefined, undefined],
    ]);
  });

  test("start for resources and their comments", async () => {
    const resources = await listenToTable("Resources", { events: ALL });
    const comments = await listenToTable("Comments", { events: ALL });
    const about = { why: "", tags: [], language: "en", licence: "" };
    const { id } = await within((tx) =>
      addDocument(tx, people.mira, { title: "Sowing", body: "Late.", ...about }),
    );
    const storedComment = await within((tx) =>
      addComment(tx, people.tomas, { resourceId: id, body: "Indeed." }),
    );
    await deliverEvents();
    await within((tx) =>
      editResource(
        tx,
        people.mira,
        ResourceChange.parse({
          resourceId: id,
          title: "Sowing",
          body: "Later.",
          tags: "",
          language: "en",
          changes: 0,
        }),
      ),
    );
    await deliverEvents();
    await within((tx) => deletePost(tx, people.tomas, { postId: storedComment.id }));
    await within((tx) => removeResource(tx, people.mira, { resourceId: id, reason: "" }));
    await deliverEvents();
    // A new version is one change, although two domain events are emitted: an edit and a version.
    expect(await listTriggerEvents(resources)).toEqual([
      ["created", id],
      ["updated", id],
      ["deleted", id],
    ]);
    expect(
      (await listRunTriggers(comments)).map(({ event, record }) => [
        event,
        record["resourceId"],
        record["text"],
      ]),
    ).toEqual([
      ["created", id, "Indeed."],
      ["deleted", id, undefined],
    ]);
  });
});
