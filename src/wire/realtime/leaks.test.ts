import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deletePost, editPost, lockDiscussion, react, unreact } from "#community/discussions";
import {
  acceptConversation,
  addPeople,
  deleteMessage,
  deleteRequest,
  editMessage,
  leaveConversation,
  reactToMessage,
  removeFromConversation,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { block } from "#community/friends";
import { GroupChange, joinGroup, leaveGroup, updateGroup } from "#community/groups";
import { NOUNS } from "#community/published";
import { addLink, comment, moveResource, NewLink, removeResource } from "#community/resources";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
import { run, sql } from "#platform/database";
import { aDiscussion, aGroup, aReply, bring, cast, type Cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { answers, connected, type Line, openLine } from "./line.fixture.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: Line;
let people: Cast;
beforeEach(async () => {
  line = await openLine(database);
  people = await cast(database);
});
afterEach(() => line.close());

const NAME = "Zauberberg";
const INSIDE = "Quittenmus";
const PARTED = "Brombeere";
const EVENTS = ["created", "updated", "deleted"];

/** Follows every noun, in every way, without naming a place: nothing but the rules stands between them and it. */
async function listener(viewer: Viewer, alsoHere: string[] = []) {
  const socket = await line.socket(viewer);
  await connected(socket);
  const answer = answers(socket);
  const heard: { table: string; event: string; data: Record<string, unknown> }[] = [];
  for (const table of Object.keys(NOUNS))
    for (const event of EVENTS)
      for (const where of [undefined, ...alsoHere]) {
        const one = answer.follow(table, event, where);
        if ((await one.next()).event !== "SUB_READY") continue;
        socket.on("SUB_RES", (it: { id: string; data: never }) => answer.of(it.id) === one && heard.push({ table, event, data: it.data }));
      }
  // A method's answer comes after everything that was sent before it.
  const settled = async () => void (await answer.call("SET_USER_TOKEN", { userToken: socket.session?.token ?? null }).next());
  return { heard, settled, texts: () => JSON.stringify(heard) };
}

type Class = "guest" | "stranger" | "left" | "requested" | "invited" | "banned" | "moderator of the site" | "admin" | "member";
const CLASSES: Class[] = ["guest", "stranger", "left", "requested", "invited", "banned", "moderator of the site", "admin", "member"];

async function viewerOf(groupId: string, it: Class): Promise<Viewer> {
  if (it === "guest") return people.guest;
  if (it === "moderator of the site") return people.ines;
  if (it === "admin") return people.ada;
  return within(async (tx) => {
    const who = await person(tx, "somebody");
    if (it !== "stranger") await bring(tx, groupId, who, it);
    return who;
  });
}

/** What is promised, apart from the code: may hear of the group, may hear what is said, may hear who is in it. */
const PROMISE: Record<Visibility, (it: Class) => { name: boolean; inside: boolean; members: boolean }> = {
  public: (it) => ({ name: true, inside: it !== "banned", members: !["banned", "guest"].includes(it) }),
  private: (it) => ({ name: true, inside: it === "member", members: it === "member" }),
  secret: (it) => ({ name: ["member", "invited"].includes(it), inside: it === "member", members: it === "member" }),
};

/** Everything that can happen to what is in a group. */
async function everythingHappens(groupId: string, discussion: { id: string; postId: string }) {
  const { mira, tomas, noor } = people;
  const reply = await aReply(database, mira, discussion.id, { body: INSIDE });
  await within((tx) => editPost(tx, mira, { postId: discussion.postId, version: 1, body: `${INSIDE} again` }));
  await within((tx) => react(tx, mira, { postId: discussion.postId, emoji: "🍐" }));
  await within((tx) => unreact(tx, mira, { postId: discussion.postId, emoji: "🍐" }));
  await within((tx) => bring(tx, groupId, noor, "invited"));
  await within((tx) => joinGroup(tx, noor, { groupId }));
  await within((tx) => leaveGroup(tx, noor, { groupId }));
  const { id: resourceId } = await within((tx) => addLink(tx, mira, NewLink.parse({ groupId, url: "https://example.org", title: INSIDE })));
  await within((tx) => comment(tx, mira, { resourceId, body: INSIDE }));
  await within((tx) => deletePost(tx, mira, { postId: reply.id }));
  const short = await aDiscussion(database, mira, groupId, { title: `${INSIDE} in short`, body: INSIDE });
  await within((tx) => deletePost(tx, mira, { postId: short.postId }));
  await within((tx) => updateGroup(tx, tomas, GroupChange.parse({ groupId, purpose: "Newly said." })));
  await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: `${INSIDE} is over.` }));
}

describe.each(["public", "private", "secret"] as const)("of a %s group", (visibility) => {
  test.each(CLASSES)("a viewer who is %s hears what is promised, and nothing else", async (it) => {
    const group = await aGroup(database, people, { visibility, name: NAME });
    const discussion = await aDiscussion(database, people.mira, group.id, { title: `${INSIDE} for all`, body: INSIDE });
    const viewer = await viewerOf(group.id, it);
    const subject = await listener(viewer, [`groupId = '${group.id}'`, `discussionId = '${discussion.id}'`, `objectId = '${group.id}'`]);
    const control = await listener(people.tomas);
    await everythingHappens(group.id, discussion);
    // The last word of each lane: of this discussion, of the one that was taken away, and of the group.
    const last = [
      /"locked":true/,
      /"table":"Comments","event":"created"/,
      /"table":"Discussions","event":"deleted"/,
      /"table":"Groups","event":"updated"/,
      /"table":"Memberships","event":"deleted"/,
    ];
    while (!last.every((word) => word.test(control.texts()))) await control.settled();
    await subject.settled();

    const may = PROMISE[visibility](it);
    const tables = new Set(subject.heard.filter(({ data }) => data["personId"] !== viewer.id).map(({ table }) => table));
    const ways = new Set(subject.heard.map(({ table, event }) => `${table} ${event}`));
    expect({ name: subject.texts().includes(NAME), inside: subject.texts().includes(INSIDE), members: tables.has("Memberships") }).toEqual(
      may,
    );
    for (const table of ["Posts", "Discussions", "Reactions", "Comments"]) expect([table, tables.has(table)]).toEqual([table, may.inside]);
    if (may.inside) expect(ways).toContain("Discussions deleted");
    expect(tables.has("Groups")).toBe(may.name);
  });
});

describe("between two who are parted by a block", () => {
  test("neither hears the words of the other, nor of what they do; the blocked one hears no name", async () => {
    const group = await aGroup(database, people);
    const discussion = await aDiscussion(database, people.mira, group.id);
    const [bram, cleo] = await within(async (tx) => {
      const both = [await person(tx, "bram"), await person(tx, "cleo")] as [SignedIn, SignedIn];
      for (const who of both) await bring(tx, group.id, who, "member");
      return both;
    });
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    const [his, hers, control] = [await listener(bram), await listener(cleo), await listener(people.tomas)];
    for (const who of [bram, cleo]) {
      await aReply(database, who, discussion.id, { body: PARTED });
      await within((tx) => react(tx, who, { postId: discussion.postId, emoji: "🍐" }));
      await within((tx) => leaveGroup(tx, who, { groupId: group.id }));
    }
    // The last word of each lane: of the group, and of the discussion.
    const heard = (what: string, how: string) => control.heard.filter(({ event, table }) => table === what && event === how).length;
    while (heard("Memberships", "deleted") < 2 || heard("Reactions", "created") < 2) await control.settled();
    await his.settled();
    await hers.settled();
    const posts = (of: typeof his) =>
      of.heard.filter(({ table, event }) => table === "Posts" && event === "created").map(({ data }) => data["text"]);
    const reactions = (of: typeof his) => of.heard.filter(({ table }) => table === "Reactions").map(({ data }) => data["ownerId"]);
    expect(posts(control)).toEqual([PARTED, PARTED]);
    expect([posts(his), reactions(his)]).toEqual([[PARTED, null], [bram.id]]);
    expect([posts(hers), reactions(hers)]).toEqual([[null, PARTED], [cleo.id]]);
    expect(hers.texts()).not.toContain(bram.id);
  });
});

describe("of a resource", () => {
  test("a comment on what is for everybody is a stub between two who are parted; taken away, the resource is followed by nobody", async () => {
    const { mira, noor, tomas } = people;
    const hidden = await aGroup(database, people, { visibility: "secret" });
    const add = (groupId?: string) =>
      within((tx) => addLink(tx, mira, NewLink.parse({ groupId, url: "https://example.org", title: "It" })));
    const [{ id: resourceId }, { id: hiddenId }] = [await add(), await add(hidden.id)];
    await within((tx) => block(tx, tomas, { personId: noor.id }));
    const follow = async (viewer: Viewer, id: string) => {
      const socket = await line.socket(viewer);
      await connected(socket);
      const answer = answers(socket).follow("Comments", "created", `resourceId = '${id}'`);
      return { first: await answer.next(), next: () => answer.next() };
    };
    for (const viewer of [noor, people.guest, people.ada])
      expect((await follow(viewer, hiddenId)).first).toMatchObject({ error: { code: 404 } });
    const [hers, guests] = [await follow(noor, resourceId), await follow(people.guest, resourceId)];
    expect([hers.first.event, guests.first.event]).toEqual(["SUB_READY", "SUB_READY"]);
    await within((tx) => comment(tx, tomas, { resourceId, body: PARTED }));
    expect(await guests.next()).toMatchObject({ data: { ownerId: tomas.id, text: PARTED, groupId: null } });
    expect(await hers.next()).toMatchObject({ data: { ownerId: null, text: null, stub: "blocked" } });
    await within((tx) => removeResource(tx, mira, { resourceId, reason: "" }));
    for (const who of [hers, guests]) expect(await who.next()).toMatchObject({ error: { code: 404 } });
    const { id: movedId } = await add();
    const strangers = await follow(noor, movedId);
    const to = { groupId: hidden.id, visibility: "secret", reason: "" } as const;
    await within((tx) => moveResource(tx, mira, { resourceId: movedId, ...to }));
    expect(await strangers.next()).toMatchObject({ error: { code: 404 } });
  });
});

describe("of a conversation", () => {
  const WORD = "Flaschenpost";
  const INSIDE_IT = ["participant", "asked", "came later"] as const;
  const OUTSIDE_IT = ["guest", "stranger", "has left", "was removed", "deleted the request", "moderator of the site", "admin"] as const;

  /** Tomas, Mira and, in some way, the viewer; then everything happens in it that can. */
  async function heardAs(it: (typeof INSIDE_IT)[number] | (typeof OUTSIDE_IT)[number]) {
    const { mira, tomas, ines, ada, guest } = people;
    const who = await within(async (tx) => {
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}'`);
      return person(tx, "somebody");
    });
    await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const outsiders = { guest, stranger: who, "moderator of the site": ines, admin: ada };
    const viewer = it in outsiders ? outsiders[it as keyof typeof outsiders] : who;
    const from = { name: "", body: "Hello." };
    const begins = it in outsiders || it === "came later" ? ["tomas"] : ["tomas", "somebody"];
    const { id } = await within((tx) => startConversation(tx, mira, { ...from, to: [...begins, "noor"] }));
    await within((tx) => acceptConversation(tx, tomas, { conversationId: id }));
    const subject = await listener(viewer, [`conversationId = '${id}'`]);
    const control = await listener(tomas);
    const say = (body: string) => within((tx) => sendMessage(tx, mira, { conversationId: id, body }));
    if (it === "came later") {
      await say("Before Flaschenpost came.");
      await within((tx) => addPeople(tx, mira, { conversationId: id, to: ["somebody"] }));
    }
    if (it === "participant" || it === "has left") await within((tx) => acceptConversation(tx, who, { conversationId: id }));
    if (it === "has left") await within((tx) => leaveConversation(tx, who, { conversationId: id }));
    if (it === "was removed") await within((tx) => removeFromConversation(tx, mira, { conversationId: id, personId: who.id }));
    if (it === "deleted the request") await within((tx) => deleteRequest(tx, who, { conversationId: id }));
    const messageId = (await say(WORD)).id;
    await within((tx) => editMessage(tx, mira, { messageId, body: `${WORD} again` }));
    await within((tx) => reactToMessage(tx, tomas, { messageId, emoji: "🍐" }));
    await within((tx) => deleteMessage(tx, mira, { messageId }));
    while (!control.texts().includes('"stub":"deleted"')) await control.settled();
    await subject.settled();
    return subject;
  }

  test.each(INSIDE_IT)("a viewer who is in it, and %s, hears what is said from then on", async (it) => {
    const subject = await heardAs(it);
    const said = subject.heard.map(({ table, event, data }) => [table, event, data["text"]]);
    expect(said.filter(([, event]) => event === "created").map(([, , text]) => text)).toContain(WORD);
    expect(said).toContainEqual(["Messages", "updated", `${WORD} again`]);
    expect(subject.texts()).toContain('"stub":"deleted"');
    expect(subject.texts()).not.toContain("Before");
  });

  test.each(OUTSIDE_IT)("a viewer who is no part of it (%s) hears nothing", async (it) => {
    // That what they followed is closed to them is said without a record.
    expect((await heardAs(it)).heard.filter(({ table, data }) => table === "Messages" && data)).toEqual([]);
  });

  test("two who are parted by a block hear stubs of one another, the others all of it, and a conversation of the two is closed", async () => {
    const { mira, tomas, noor } = people;
    await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const begin = (to: string[]) => within((tx) => startConversation(tx, mira, { to, name: "", body: "Hello." }));
    const [three, two] = [await begin(["tomas", "noor"]), await begin(["tomas"])];
    for (const [who, { id }] of [
      [tomas, three],
      [noor, three],
      [tomas, two],
    ] as const)
      await within((tx) => acceptConversation(tx, who, { conversationId: id }));
    const direct = await line.socket(mira);
    await connected(direct);
    const open = answers(direct).follow("Messages", "created", `conversationId = '${two.id}'`);
    expect((await open.next()).event).toBe("SUB_READY");
    await within((tx) => block(tx, mira, { personId: tomas.id }));
    expect(await open.next()).toMatchObject({ error: { code: 404 } });
    const [hers, his, theirs] = [await listener(mira), await listener(tomas), await listener(noor)];
    for (const who of [mira, tomas]) await within((tx) => sendMessage(tx, who, { conversationId: three.id, body: PARTED }));
    while (theirs.heard.length < 2) await theirs.settled();
    await hers.settled();
    await his.settled();
    const heard = (of: typeof hers) => of.heard.map(({ data }) => [data["ownerId"], data["text"]]);
    expect(heard(theirs)).toEqual([
      [mira.id, PARTED],
      [tomas.id, PARTED],
    ]);
    expect(heard(hers)).toEqual([
      [mira.id, PARTED],
      [tomas.id, null],
    ]);
    expect(heard(his)).toEqual([
      [null, null],
      [tomas.id, PARTED],
    ]);
  });

  test("that somebody is writing is told where both let it be seen, and to nobody else", async () => {
    const { mira, tomas, noor } = people;
    const choose = (who: SignedIn, showReading: boolean) =>
      run(database.db, sql`update people set privacy = ${JSON.stringify({ messages: "everyone", showReading })} where id = ${who.id}`);
    for (const who of [mira, tomas, noor]) await choose(who, who !== noor);
    const { id } = await within((tx) => startConversation(tx, mira, { to: ["tomas", "noor"], name: "", body: "Hello." }));
    for (const who of [tomas, noor]) await within((tx) => acceptConversation(tx, who, { conversationId: id }));
    const channel = `conversation:${id}`;
    const on = async (who: SignedIn) => {
      const socket = await line.socket(who);
      await connected(socket);
      const answer = answers(socket);
      for (const side of ["PUB_SUB_CONNECT", "PUB_SUB_COMMANDS"]) await answer.subscribe(side, { channel }).next();
      const heard: unknown[] = [];
      socket.on("SUB_RES", (it: { data: unknown }) => heard.push(it.data));
      // A method's answer comes after everything that was sent before it.
      const settled = () => answer.call("SET_USER_TOKEN", { userToken: socket.session?.token }).next();
      return { heard, settled, call: (name: string, options: object) => answer.call(name, options).next() };
    };
    const [hers, his, theirs] = [await on(mira), await on(tomas), await on(noor)];
    for (const each of [hers, theirs])
      expect(await each.call("PUB_SUB_COMMAND", { channel, type: "typing" })).toMatchObject({ result: null });
    for (const each of [his, theirs, hers]) await each.settled();
    expect(his.heard).toMatchObject([{ type: "typing", userId: mira.id }]);
    expect([theirs.heard, hers.heard]).toEqual([[], []]);
  });
});
