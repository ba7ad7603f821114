import { describe, expect, test } from "vitest";
import { activateFlow, hearOf, listRuns, runBy, changeFlow, flowBy } from "#backend/flows";
import { save } from "#backend/tables";
import { deletePost, editPost, moveDiscussion, NewReply, reply } from "#community/discussions";
import { many, run, sql } from "#platform/database";
import { announce, type Happening } from "#platform/outbox";
import { z } from "zod";
import { aDiscussion, aGroup, aReply } from "../../../test/cast.ts";
import { DELETED_WORD, fill, INSIDE, NAME, PRIVATE_WORD } from "../../../test/leaky-place.ts";
import { callService } from "./extensions.ts";
import { brought, carry, database, door, events, listening, made, on, people, steps } from "./noun-flows.fixture.ts";

const within = database.inTransaction;
const NOUNS = ["Users", "Groups", "Discussions", "Posts", "Resources", "Comments"];
const ALL = ["created", "updated", "deleted"];
const TRUSTED = { personId: null, roles: [], server: true, trusted: true };
/** Everything runs know, as text. */
const known = async () => JSON.stringify(await many(database.db, sql`select context, brought from flow_runs`));

describe("entity events for automations", () => {
  const [OPEN, SHUT, HIDDEN] = ["public", "private", "secret"] as const;
  /** Expected visibility of a group's name, its content, deleted content and private messages. */
  const PROMISE = [
    ["house", OPEN, [NAME, INSIDE, DELETED_WORD]],
    ["house", SHUT, [NAME]],
    ["house", HIDDEN, []],
    ["starter", OPEN, [NAME, INSIDE]],
    ["starter", SHUT, [NAME]],
    ["starter", HIDDEN, []],
  ] as const;

  test.each(PROMISE)(
    "with the rights of the %s, in a %s group, contain exactly what these rights may read",
    async (rights, visibility, promised) => {
      for (const table of NOUNS) await listening(table, { events: ALL }, { rights });
      await fill(database, people, visibility);
      await carry();
      const told = await known();
      expect(told).toContain("For everybody");
      expect([NAME, INSIDE, DELETED_WORD, PRIVATE_WORD].filter((word) => told.includes(word))).toEqual(promised);
      expect(told).not.toContain("@example.org");
    },
  );

  test.each(["private", "secret"] as const)("deletions in a %s group are not reported", async (visibility) => {
    const ids = await Promise.all(
      ["Discussions", "Posts", "Resources", "Comments"].map((table) => listening(table, { events: ["deleted"] })),
    );
    const group = await aGroup(database, people, { visibility });
    const discussion = await aDiscussion(database, people.mira, group.id);
    const said = await aReply(database, people.mira, discussion.id);
    await within((tx) => deletePost(tx, people.mira, { postId: said.id }));
    await within((tx) => deletePost(tx, people.mira, { postId: discussion.postId }));
    await carry();
    for (const id of ids) expect(await events(id)).toEqual([]);
  });

  test("event of moved content belongs to its current group only", async () => {
    const [from, into] = [await aGroup(database, people), await aGroup(database, people, { name: "The Orchard" })];
    const discussion = await aDiscussion(database, people.mira, from.id);
    await carry();
    const of = (noun: string, groupId: string) => listening(noun, { events: ALL, where: `groupId = '${groupId}'` });
    const first = [await of("Discussions", from.id), await of("Posts", from.id)];
    const [talk, posts] = [await of("Discussions", into.id), await of("Posts", into.id)];
    const said = await aReply(database, people.mira, discussion.id);
    const move = { discussionId: discussion.id, groupId: into.id, visibility: "public", reason: "Ours." } as const;
    await within((tx) => moveDiscussion(tx, people.tomas, move));
    await within((tx) => editPost(tx, people.mira, { postId: said.id, body: "Later.", version: 1 }));
    await carry();
    for (const id of first) expect(await events(id)).toEqual([]);
    expect(await events(talk)).toContainEqual(["updated", discussion.id]);
    expect(await events(posts)).toContainEqual(["updated", said.id]);
    await within((tx) => deletePost(tx, people.mira, { postId: said.id }));
    await carry();
    expect(await events(posts)).toContainEqual(["deleted", said.id]);
    for (const id of first) expect(await events(id)).toEqual([]);
  });

  test("content moved to a hidden group is no longer reported", async () => {
    const id = await listening("Discussions", { events: ALL });
    const [open, shut] = [await aGroup(database, people), await aGroup(database, people, { visibility: "private", name: "Shut" })];
    const discussion = await aDiscussion(database, people.mira, open.id);
    await within((tx) =>
      moveDiscussion(tx, people.tomas, { discussionId: discussion.id, groupId: shut.id, visibility: "private", reason: "Ours." }),
    );
    await carry();
    expect(await events(id)).toEqual([]);
  });
});

describe("automation with the rights of its starter", () => {
  const starter = { rights: "starter" };

  test("receives what anonymous callers may read", async () => {
    const [groups, users, posts] = await Promise.all(
      ["Groups", "Users", "Posts"].map((table) => listening(table, { events: ALL }, starter)),
    );
    const group = await aGroup(database, people);
    const secret = await aGroup(database, people, { visibility: "secret" });
    const said = await aDiscussion(database, people.mira, group.id);
    await aDiscussion(database, people.mira, secret.id);
    await run(database.db, sql`update people set privacy = '{"profile": "everyone"}' where id = ${people.tomas.id}`);
    for (const who of [people.mira, people.tomas]) await within((tx) => announce(tx, { type: "person.changed", personId: who.id }));
    await carry();
    expect(await events(groups!)).toEqual([["created", group.id]]);
    expect(await events(posts!)).toEqual([["created", said.postId]]);
    expect(await events(users!)).toEqual([["updated", people.tomas.id]]);
    expect((await brought(users!))[0]!.record).toMatchObject({ userStatus: null, blUserLocale: null, lastLogin: null });
  });

  test("receives nothing from a private community", async () => {
    const [guest, house] = [await listening("Groups", {}, starter), await listening("Groups")];
    await door.set({ audience: "private" });
    const group = await aGroup(database, people);
    await carry();
    expect(await events(guest)).toEqual([]);
    expect(await events(house)).toEqual([["created", group.id]]);
  });

  test("waiting run receives no more than its own rights, whatever the automation may do now", async () => {
    const definition = {
      rights: "starter",
      triggers: [{ kind: "call", name: "call" }, on("Users", { events: ["updated"], starts: false })],
      steps: [{ kind: "wait", for: "it", as: "heard" }],
    };
    const id = await made(definition);
    const before = await activateFlow(door.house.flows, TRUSTED, { id }, {});
    await steps();
    await changeFlow(door.house.flows, id, { definition: { ...(await flowBy(door.house.flows, { id })).definition, rights: "house" } });
    door.house.flows.watched.forget();
    const after = await activateFlow(door.house.flows, TRUSTED, { id }, {});
    await steps();
    await run(database.db, sql`update people set privacy = '{"profile": "everyone"}' where id = ${people.tomas.id}`);
    const update = async (personId: string) => {
      await within((tx) => announce(tx, { type: "person.changed", personId }));
      await carry();
      await steps();
    };
    await update(people.mira.id);
    expect(await runBy(door.house.flows, before)).toMatchObject({ state: "waiting" });
    expect(await runBy(door.house.flows, after)).toMatchObject({
      state: "done",
      context: { heard: { record: { userStatus: "ENABLED" } } },
    });
    await update(people.tomas.id);
    expect(await runBy(door.house.flows, before)).toMatchObject({ state: "done", context: { heard: { record: { userStatus: null } } } });
  });
});

describe("entity change", () => {
  test("starts an automation once however often it is delivered, and each of its triggers separately", async () => {
    const id = await made({ triggers: [on("Posts"), { ...on("Discussions"), name: "other" }] });
    const group = await aGroup(database, people);
    await aDiscussion(database, people.mira, group.id);
    await carry();
    const told = await many(database.db, sql<{ id: string; payload: Happening }>`select id, payload from outbox order by id`);
    for (const it of told) await hearOf(door.house.flows, it.payload, it.id);
    expect((await listRuns(door.house.flows, id)).rows.map(({ trigger }) => trigger).toSorted()).toEqual(["it", "other"]);
  });

  test("starts nothing when the condition is false or cannot be evaluated", async () => {
    const group = await aGroup(database, people);
    const ids = await Promise.all(
      [`number > 1`, `number = 1`, `nowhere = 1`, `group.name = 'x'`, `text > 5`].map((where) => listening("Posts", { where })),
    );
    const discussion = await aDiscussion(database, people.mira, group.id);
    const said = await aReply(database, people.tomas, discussion.id);
    await carry();
    expect(await Promise.all(ids.map(events))).toEqual([[["created", said.id]], [["created", discussion.postId]], [], [], []]);
  });
});

describe("self-triggering automation stops", () => {
  /** Posts as Tomas, as an operator's extension may. */
  const parrot = {
    service: "Parrot",
    name: "say",
    about: "Answers.",
    input: z.object({ discussionId: z.string() }),
    run: (_context: unknown, { discussionId }: { discussionId: string }) =>
      within((tx) => reply(tx, people.tomas, NewReply.parse({ discussionId, body: "Polly!" }))),
  };

  test("when a service it calls posts in the community", async () => {
    door.house.services.add(parrot as never);
    const id = await listening(
      "Posts",
      {},
      {
        steps: [{ kind: "call", service: "Parrot", method: "say", input: { discussionId: "{{trigger.data.record.discussionId}}" } }],
      },
    );
    const group = await aGroup(database, people);
    await aDiscussion(database, people.mira, group.id);
    for (let n = 0; n < 10; n++) {
      await carry();
      await steps();
    }
    expect(await brought(id)).toHaveLength(6);
  });

  test("when it runs as a person: their post is attributed to the run", async () => {
    const group = await aGroup(database, people);
    const discussion = await aDiscussion(database, people.mira, group.id);
    const says = { kind: "record", act: "create", table: "Posts", values: { discussionId: discussion.id, text: "Hello." } };
    const calls = { kind: "call", service: "Posts", method: "reply", input: { discussionId: discussion.id, body: "Hello again." } };
    const speaks = await made({ who: "everyone", rights: "starter", triggers: [{ kind: "call", name: "call" }], steps: [says, calls] });
    const hears = await listening("Posts", { where: "number > 1" });
    const ran = await activateFlow(door.house.flows, { ...TRUSTED, personId: people.mira.id, server: false }, { id: speaks }, {});
    await steps();
    expect(await runBy(door.house.flows, ran)).toMatchObject({ state: "done", fault: null });
    await carry();
    expect((await brought(hears)).map(({ record }) => record["text"])).toEqual(["Hello.", "Hello again."]);
    expect(await many(database.db, sql`select depth from flow_runs where flow_id = ${hears}`)).toEqual([{ depth: 1 }, { depth: 1 }]);
    // An unrelated reply is not attributed to the run.
    await aReply(database, people.mira, discussion.id);
    expect(await many(database.db, sql`select payload ->> 'cause' as cause from outbox where type = 'post.written' order by id`)).toEqual([
      { cause: ran },
      { cause: ran },
      { cause: null },
    ]);
  });

  test("when it returns from external code that only names the run", async () => {
    const group = await aGroup(database, people);
    const { id: discussionId } = await aDiscussion(database, people.mira, group.id);
    const caller = { key: "client", viewer: people.mira, session: null, roles: [] } as const;
    const asked = { service: "Posts", method: "reply", input: { discussionId, body: "Hello." } };
    await callService(door.house, asked, { caller, cause: "a run" });
    const byTable = { userId: people.mira.id, roles: [], server: false, viewer: people.mira, cause: "another" };
    await save(door.house.tables, byTable, "Posts", { discussionId, text: "Hello again." });
    const causes = sql`select payload ->> 'cause' as cause from outbox where type = 'post.written' order by id`;
    expect(await many(database.db, causes)).toEqual([{ cause: "a run" }, { cause: "another" }]);
  });
});
