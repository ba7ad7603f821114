import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deletePost, editPost, lockDiscussion, react, unreact } from "#community/discussions";
import { block } from "#community/friends";
import { GroupChange, joinGroup, leaveGroup, updateGroup } from "#community/groups";
import { NOUNS } from "#community/published";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
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
    expect([tables.has("Posts"), tables.has("Discussions"), tables.has("Reactions")]).toEqual([may.inside, may.inside, may.inside]);
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
    while (control.heard.filter(({ event, table }) => table === "Memberships" && event === "deleted").length < 2) await control.settled();
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
