import { describe, expect, test } from "vitest";
import { deleteDiscussion, deletePost, editPost, PostChange, restorePost } from "#community/discussions";
import { deleteGroup, updateGroup } from "#community/groups";
import { addDocument, comment, editResource, removeResource, ResourceChange } from "#community/resources";
import { many, run, sql } from "#platform/database";
import { announce, type Happening } from "#platform/outbox";
import { aDiscussion, aGroup, aReply } from "../../../test/cast.ts";
import { brought, carry, database, door, events, listening, mails, people, steps } from "./noun-flows.fixture.ts";
import { PASSWORD } from "./rest.fixture.ts";

const within = database.inTransaction;
const ALL = ["created", "updated", "deleted"];
const REASON = "It is better so.";

describe("automations on people", () => {
  test("new member starts a welcome mail, without the address being stored in the run", async () => {
    await door.set({ registration: "open", confirmAddress: false });
    const id = await listening(
      "Users",
      {},
      {
        steps: [{ kind: "mail", to: "{{trigger.data.record.objectId}}", subject: "Welcome, {{trigger.data.record.name}}", text: "Hello." }],
      },
    );
    await door.sdk().UserService.register({ email: "ana@example.org", password: PASSWORD, name: "Ana" });
    await carry();
    await steps();
    const [it, ...more] = await brought(id);
    expect(more).toEqual([]);
    expect(it).toMatchObject({ event: "created", table: "Users", record: { ___class: "Users", name: "Ana", userStatus: "ENABLED" } });
    expect(mails).toEqual([{ to: it!.record["objectId"], subject: "Welcome, Ana" }]);
    const kept = await many(database.db, sql<{ context: string }>`select context from flow_runs`);
    expect(JSON.stringify(kept)).not.toContain("ana@example.org");
  });

  test("unconfirmed member starts none; a condition may use the address", async () => {
    await door.set({ registration: "open", confirmAddress: true });
    const any = await listening("Users");
    const ours = await listening("Users", { where: "email LIKE '%@example.org'" });
    const others = await listening("Users", { where: "email LIKE '%@example.com'" });
    const user = (await door.sdk().UserService.register({ email: "ana@example.org", password: PASSWORD, name: "Ana" } as never)) as {
      objectId: string;
    };
    await carry();
    expect(await brought(any)).toEqual([]);
    await door.house.accounts.setUserStatus(people.ada, user.objectId, "ENABLED");
    await carry();
    expect([await events(any), await events(ours), await events(others)]).toEqual([
      [["created", user.objectId]],
      [["created", user.objectId]],
      [],
    ]);
  });

  test("change, ban and deletion of a person start automations; private data does not", async () => {
    const id = await listening("Users", { events: ALL });
    const left = await listening("Users", { events: ["updated"], where: "userStatus = 'DISABLED'" });
    const tell = (happening: Happening) => within((tx) => announce(tx, happening));
    for (const type of ["changed", "security", "password-changed", "second-step-changed", "sessions-ended", "muted", "filtered"])
      await tell({ type: `person.${type}`, personId: people.mira.id, by: people.mira.id });
    await tell({ type: "person.blocked", personId: people.mira.id, by: people.tomas.id });
    await run(database.db, sql`update people set state = 'suspended' where id = ${people.mira.id}`);
    await tell({ type: "person.status-changed", personId: people.mira.id, state: "suspended", by: people.ada.id });
    await carry();
    await run(database.db, sql`update people set state = 'erased' where id = ${people.mira.id}`);
    await tell({ type: "person.erased", personId: people.mira.id });
    await carry();
    const mira = people.mira.id;
    expect(await events(id)).toEqual([
      ["updated", mira],
      ["updated", mira],
      ["deleted", mira],
    ]);
    expect((await brought(id))[2]).toEqual({ event: "deleted", table: "Users", record: { ___class: "Users", objectId: mira } });
    expect(await events(left)).toEqual([
      ["updated", mira],
      ["updated", mira],
    ]);
  });
});

describe("automations on posts in a public group", () => {
  test("new discussion starts automations of that group and of no other", async () => {
    const [here, there] = [await aGroup(database, people), await aGroup(database, people, { name: "Elsewhere" })];
    const id = await listening(
      "Discussions",
      { where: `groupId = '${here.id}'` },
      {
        steps: [{ kind: "message", channel: "news", message: "{{trigger.data.record.title}}" }],
      },
    );
    await aDiscussion(database, people.mira, there.id, { title: "Not for us" });
    const { id: discussionId } = await aDiscussion(database, people.mira, here.id, { title: "When to sow beans" });
    const heard: unknown[] = [];
    const hear = ({ message }: { message: { message: unknown } }) => void heard.push(message.message);
    door.house.channels.listeners.add(hear);
    await carry();
    await steps();
    door.house.channels.listeners.delete(hear);
    expect(await events(id)).toEqual([["created", discussionId]]);
    expect(heard).toEqual(["When to sow beans"]);
  });

  test("new, edited, removed and restored post starts automations", async () => {
    const group = await aGroup(database, people);
    const id = await listening("Posts", { events: ALL });
    const discussion = await aDiscussion(database, people.mira, group.id);
    const reply = await aReply(database, people.mira, discussion.id, { body: "After the ice saints." });
    await carry();
    await within((tx) => editPost(tx, people.mira, PostChange.parse({ postId: reply.id, body: "Long after.", version: 1 })));
    await carry();
    await within((tx) => deletePost(tx, people.tomas, { postId: reply.id, reason: REASON }));
    await carry();
    await within((tx) => restorePost(tx, people.tomas, { postId: reply.id, reason: REASON }));
    await carry();
    const all = await brought(id);
    expect(all.map(({ event, record }) => [event, record["objectId"], record["text"]])).toEqual([
      ["created", discussion.postId, "The soil is still cold."],
      ["created", reply.id, "After the ice saints."],
      ["updated", reply.id, "Long after."],
      ["deleted", reply.id, undefined],
      ["created", reply.id, "Long after."],
    ]);
    // A deleted record passes on only its id and container.
    expect(all[3]!.record).toEqual({ ___class: "Posts", objectId: reply.id, discussionId: discussion.id, groupId: group.id });
  });

  test("reply updates its discussion, and deleting it covers the posts", async () => {
    const group = await aGroup(database, people);
    const id = await listening("Discussions", { events: ["updated", "deleted"], where: `groupId = '${group.id}'` });
    const discussion = await aDiscussion(database, people.mira, group.id);
    await aReply(database, people.mira, discussion.id);
    await carry();
    await within((tx) => deleteDiscussion(tx, people.tomas, { discussionId: discussion.id, reason: REASON }));
    await carry();
    expect(await events(id)).toEqual([
      ["updated", discussion.id],
      ["deleted", discussion.id],
    ]);
  });

  test("content is passed on in its current state, and truncated when long", async () => {
    const group = await aGroup(database, people);
    const id = await listening("Posts", { where: "text LIKE '%the end'" });
    const [discussion, gone] = [
      await aDiscussion(database, people.mira, group.id, { body: `${"x".repeat(30_000)} the end` }),
      await aDiscussion(database, people.mira, group.id, { title: "Never mind", body: "This is the end" }),
    ];
    await within((tx) => deleteDiscussion(tx, people.tomas, { discussionId: gone.id, reason: REASON }));
    await carry();
    const [long, ...more] = await brought(id);
    expect([long!.record["objectId"], (long!.record["text"] as string).length]).toEqual([discussion.postId, 16_000]);
    // Admins can read what was deleted in a public group.
    expect(more.map(({ record }) => record["objectId"])).toEqual([gone.postId]);
  });
});

describe("automations on groups and resources", () => {
  test("created, updated and deleted group starts automations", async () => {
    const id = await listening("Groups", { events: ALL });
    const group = await aGroup(database, people, { name: "Seed swap" });
    await carry();
    await within((tx) => updateGroup(tx, people.tomas, { groupId: group.id, purpose: "Beans." }));
    await carry();
    await within((tx) => deleteGroup(tx, people.tomas, { groupId: group.id, reason: REASON }));
    await carry();
    const all = await brought(id);
    expect(all.map(({ event, record }) => [event, record["name"], record["purpose"]])).toEqual([
      ["created", "Seed swap", ""],
      ["updated", "Seed swap", "Beans."],
      ["deleted", undefined, undefined],
    ]);
  });

  test("resource and its comments start automations", async () => {
    const resources = await listening("Resources", { events: ALL });
    const comments = await listening("Comments", { events: ALL });
    const about = { why: "", tags: [], language: "en", licence: "" };
    const { id } = await within((tx) => addDocument(tx, people.mira, { title: "Sowing", body: "Late.", ...about }));
    const said = await within((tx) => comment(tx, people.tomas, { resourceId: id, body: "Indeed." }));
    await carry();
    await within((tx) =>
      editResource(
        tx,
        people.mira,
        ResourceChange.parse({ resourceId: id, title: "Sowing", body: "Later.", tags: "", language: "en", changes: 0 }),
      ),
    );
    await carry();
    await within((tx) => deletePost(tx, people.tomas, { postId: said.id }));
    await within((tx) => removeResource(tx, people.mira, { resourceId: id, reason: "" }));
    await carry();
    // A new version is one change, though it is emitted as an edit and as a version.
    expect(await events(resources)).toEqual([
      ["created", id],
      ["updated", id],
      ["deleted", id],
    ]);
    expect((await brought(comments)).map(({ event, record }) => [event, record["resourceId"], record["text"]])).toEqual([
      ["created", id, "Indeed."],
      ["deleted", id, undefined],
    ]);
  });
});
