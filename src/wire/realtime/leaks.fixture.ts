import { afterEach, beforeEach } from "vitest";
import { deletePost, editPost, lockDiscussion, react, unreact } from "#community/discussions";
import { GroupChange, joinGroup, leaveGroup, updateGroup } from "#community/groups";
import { NOUNS, VIEWED } from "#community/published";
import { addLink, comment, NewLink } from "#community/resources";
import type { Viewer, Visibility } from "#community/rules";
import { aDiscussion, aReply, bring, cast, type Cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { answers, connected, type Line, openLine } from "./line.fixture.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export let line: Line;
export let people: Cast;
beforeEach(async () => {
  line = await openLine(database);
  people = await cast(database);
});
afterEach(() => line.close());

export const NAME = "Zauberberg";
export const INSIDE = "Quittenmus";
export const PARTED = "Brombeere";
const EVENTS = ["created", "updated", "deleted"];

/** Follows every entity in every way, without naming a scope: only permissions limit it. */
export async function listener(viewer: Viewer, alsoHere: string[] = []) {
  const socket = await line.socket(viewer);
  await connected(socket);
  const answer = answers(socket);
  const heard: { table: string; event: string; data: Record<string, unknown> }[] = [];
  for (const table of [...Object.keys(NOUNS), ...VIEWED])
    for (const event of EVENTS)
      for (const where of [undefined, ...alsoHere]) {
        const one = answer.follow(table, event, where);
        if ((await one.next()).event !== "SUB_READY") continue;
        socket.on("SUB_RES", (it: { id: string; data: never }) => answer.of(it.id) === one && heard.push({ table, event, data: it.data }));
      }
  // A method's answer arrives after everything sent before it.
  const settled = async () => void (await answer.call("SET_USER_TOKEN", { userToken: socket.session?.token ?? null }).next());
  return { heard, settled, texts: () => JSON.stringify(heard) };
}

type Class = "guest" | "stranger" | "left" | "requested" | "invited" | "banned" | "moderator of the site" | "admin" | "member";
export const CLASSES: Class[] = ["guest", "stranger", "left", "requested", "invited", "banned", "moderator of the site", "admin", "member"];

export async function viewerOf(groupId: string, it: Class): Promise<Viewer> {
  if (it === "guest") return people.guest;
  if (it === "moderator of the site") return people.ines;
  if (it === "admin") return people.ada;
  return within(async (tx) => {
    const who = await person(tx, "somebody");
    if (it !== "stranger") await bring(tx, groupId, who, it);
    return who;
  });
}

/** Expected visibility, independent of the code: the group, its content, its members. */
export const PROMISE: Record<Visibility, (it: Class) => { name: boolean; inside: boolean; members: boolean }> = {
  public: (it) => ({ name: true, inside: it !== "banned", members: !["banned", "guest"].includes(it) }),
  private: (it) => ({ name: true, inside: it === "member", members: it === "member" }),
  secret: (it) => ({ name: ["member", "invited"].includes(it), inside: it === "member", members: it === "member" }),
};

/** Every possible event on the content of a group. */
export async function everythingHappens(groupId: string, discussion: { id: string; postId: string }) {
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
