import { afterEach, beforeEach } from "vitest";
import { deletePost, editPost, lockDiscussion, addReaction, removeReaction } from "#community/discussions";
import { GroupChange, joinGroup, leaveGroup, updateGroup } from "#community/groups";
import { FOLLOWED_ENTITIES, PER_VIEWER_ENTITIES } from "#community/api-entities";
import { addLink, addComment, NewLink } from "#community/resources";
import type { Viewer, Visibility } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import {
  collectAnswers,
  waitForConnect,
  type TestConnection,
  startRealtimeServer,
} from "./sdk-connection.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export let sdkConnection: TestConnection;
export let people: TestUsers;
beforeEach(async () => {
  sdkConnection = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(() => sdkConnection.close());

export const GROUP_NAME = "Zauberberg";
export const GROUP_SECRET = "Quittenmus";
export const BLOCKED_SECRET = "Brombeere";
const EVENT_NAMES = ["created", "updated", "deleted"];

/** Subscribes to every entity in every way. No scope is set, so that only permissions limit what arrives. */
export async function followEverything(viewer: Viewer, alsoHere: string[] = []) {
  const socket = await sdkConnection.socket(viewer);
  await waitForConnect(socket);
  const answer = collectAnswers(socket);
  const received: { table: string; event: string; data: Record<string, unknown> }[] = [];
  for (const table of [...Object.keys(FOLLOWED_ENTITIES), ...PER_VIEWER_ENTITIES])
    for (const event of EVENT_NAMES)
      for (const where of [undefined, ...alsoHere]) {
        const one = answer.follow(table, event, where);
        if ((await one.next()).event !== "SUB_READY") continue;
        socket.on(
          "SUB_RES",
          (it: { id: string; data: never }) =>
            answer.of(it.id) === one && received.push({ table, event, data: it.data }),
        );
      }
  // Resolves when everything sent until now has arrived: the answer to a method call arrives after all
  // earlier messages.
  const settled = async () =>
    void (await answer.call("SET_USER_TOKEN", { userToken: socket.session?.token ?? null }).next());
  return { received, settled, texts: () => JSON.stringify(received) };
}

type ViewerClass =
  | "guest"
  | "stranger"
  | "left"
  | "requested"
  | "invited"
  | "banned"
  | "moderator of the site"
  | "admin"
  | "member";
export const VIEWER_CLASSES: ViewerClass[] = [
  "guest",
  "stranger",
  "left",
  "requested",
  "invited",
  "banned",
  "moderator of the site",
  "admin",
  "member",
];

export async function createViewerOf(groupId: string, viewerClass: ViewerClass): Promise<Viewer> {
  if (viewerClass === "guest") return people.guest;
  if (viewerClass === "moderator of the site") return people.ines;
  if (viewerClass === "admin") return people.ada;
  return within(async (tx) => {
    const who = await createPerson(tx, "somebody");
    if (viewerClass !== "stranger") await setMembership(tx, groupId, who, viewerClass);
    return who;
  });
}

/** Expected visibility of the group, its content and its members, independent of the code. */
export const EXPECTED_VISIBILITY: Record<
  Visibility,
  (it: ViewerClass) => { name: boolean; inside: boolean; members: boolean }
> = {
  public: (it) => ({ name: true, inside: it !== "banned", members: !["banned", "guest"].includes(it) }),
  private: (it) => ({ name: true, inside: it === "member", members: it === "member" }),
  secret: (viewerClass) => ({
    name: ["member", "invited"].includes(viewerClass),
    inside: viewerClass === "member",
    members: viewerClass === "member",
  }),
};

/** Emits every possible event on the content of a group. */
export async function runEveryEvent(groupId: string, discussion: { id: string; postId: string }) {
  const { mira, tomas, noor } = people;
  const reply = await createTestReply(database, mira, discussion.id, { body: GROUP_SECRET });
  await within((tx) =>
    editPost(tx, mira, { postId: discussion.postId, version: 1, body: `${GROUP_SECRET} again` }),
  );
  await within((tx) => addReaction(tx, mira, { postId: discussion.postId, emoji: "🍐" }));
  await within((tx) => removeReaction(tx, mira, { postId: discussion.postId, emoji: "🍐" }));
  await within((tx) => setMembership(tx, groupId, noor, "invited"));
  await within((tx) => joinGroup(tx, noor, { groupId }));
  await within((tx) => leaveGroup(tx, noor, { groupId }));
  const { id: resourceId } = await within((tx) =>
    addLink(tx, mira, NewLink.parse({ groupId, url: "https://example.org", title: GROUP_SECRET })),
  );
  await within((tx) => addComment(tx, mira, { resourceId, body: GROUP_SECRET }));
  await within((tx) => deletePost(tx, mira, { postId: reply.id }));
  const short = await createTestDiscussion(database, mira, groupId, {
    title: `${GROUP_SECRET} in short`,
    body: GROUP_SECRET,
  });
  await within((tx) => deletePost(tx, mira, { postId: short.postId }));
  await within((tx) => updateGroup(tx, tomas, GroupChange.parse({ groupId, purpose: "Newly said." })));
  await within((tx) =>
    lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: `${GROUP_SECRET} is over.` }),
  );
}
