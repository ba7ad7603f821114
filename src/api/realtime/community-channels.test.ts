import type { Socket } from "socket.io-client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  archiveDiscussion,
  deleteDiscussion,
  moveDiscussion,
  restoreDiscussion,
  setFollowLevel,
  unarchiveDiscussion,
} from "#community/discussions";
import { sendFriendRequest, blockPerson, declineFriendRequest } from "#community/friends";
import { leaveGroup, setNotifyLevel } from "#community/groups";
import { updatePrivacy } from "#community/accounts";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  waitForConnect,
  type TestConnection,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
let group: { id: string };
let channel: string;
let discussion: { id: string };
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "private" });
  discussion = await createTestDiscussion(database, people.mira, group.id);
  channel = `discussion:${discussion.id}`;
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
});
afterEach(() => line.close());

/** Connects a person who has the page of the discussion open. */
async function reader(viewer: Viewer) {
  const socket: Socket & { session: { token: string; sessionId: string } | null } = await line.socket(viewer);
  await waitForConnect(socket);
  const answer = collectAnswers(socket);
  const joined = answer.subscribe("PUB_SUB_CONNECT", { channel });
  const first = await joined.next();
  if (first.error) return { socket, refused: first.error, answer };
  const people_ = answer.subscribe("PUB_SUB_USERS", { channel });
  await people_.next();
  const typing = answer.subscribe("PUB_SUB_COMMANDS", { channel });
  await typing.next();
  const settled = () => answer.call("SET_USER_TOKEN", { userToken: socket.session!.token }).next();
  return {
    socket,
    answer,
    joined,
    people: people_,
    typing,
    settled,
    type: () => answer.call("PUB_SUB_COMMAND", { channel, type: "typing" }).next(),
  };
}
const inside = (it: Awaited<ReturnType<typeof reader>>) => it as Required<Omit<typeof it, "refused">>;
const status = async (it: { people: { next: () => Promise<{ data?: unknown }> } }) =>
  (await it.people.next()).data as { status: string; data: { userId: string }[] };
const who = ({ data }: { data: { userId: string }[] }) => data.map(({ userId }) => userId).toSorted();

describe("discussion channel", () => {
  test("reports people who are present, arrive or leave", async () => {
    const mira = inside(await reader(people.mira));
    expect(await status(mira)).toMatchObject({ status: "LISTING", data: [{ userId: people.mira.id }] });
    const tomas = inside(await reader(people.tomas));
    expect(who(await status(tomas))).toEqual([people.mira.id, people.tomas.id].toSorted());
    expect(await status(mira)).toMatchObject({ status: "CONNECTED", data: [{ userId: people.tomas.id }] });
    tomas.socket.disconnect();
    expect(await status(mira)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.tomas.id }] });
  });

  test("forwards typing to the other people", async () => {
    const [mira, tomas] = [inside(await reader(people.mira)), inside(await reader(people.tomas))];
    expect(await mira.type()).toMatchObject({ event: "MET_RES", result: null });
    expect((await tomas.typing.next()).data).toMatchObject({
      type: "typing",
      userId: people.mira.id,
      data: null,
    });
    await mira.settled();
    expect(mira.typing.all).toHaveLength(1);
  });

  test("does not send message texts", async () => {
    const mira = inside(await reader(people.mira));
    expect(
      (await mira.answer.call("PUB_SUB_COMMAND", { channel, type: "insult" }).next()).error,
    ).toMatchObject({ code: "422" });
  });

  test("requires sign-in and read access to the discussion", async () => {
    const open = await createTestGroup(database, people, { name: "The Square" });
    expect((await reader(people.ines)).refused).toEqual({ code: 404, message: "Not found." });
    channel = `discussion:${(await createTestDiscussion(database, people.mira, open.id)).id}`;
    expect((await reader(people.guest)).refused).toMatchObject({ code: 404 });
    expect((await reader(people.ines)).refused).toBeUndefined();
  });

  test("closes for a person who leaves the group", async () => {
    const [noor, tomas] = [inside(await reader(people.noor)), inside(await reader(people.tomas))];
    await within((tx) => leaveGroup(tx, people.noor, { groupId: group.id }));
    expect((await noor.joined.next()).error).toMatchObject({ code: 404 });
    expect((await noor.type()).error).toMatchObject({ code: "404" });
    await tomas.settled();
    expect(tomas.typing.all).toHaveLength(1);
  });

  test("reports a departure to everyone who saw the person, including after a block", async () => {
    const mira = inside(await reader(people.mira));
    await status(mira);
    const noor = inside(await reader(people.noor));
    await status(noor);
    expect(await status(mira)).toMatchObject({ status: "CONNECTED", data: [{ userId: people.noor.id }] });
    const tomas = inside(await reader(people.tomas));
    for (const it of [tomas, mira, noor]) await status(it);
    await within((tx) => blockPerson(tx, people.noor, { personId: people.mira.id }));
    expect(await status(mira)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.noor.id }] });
    expect(await status(noor)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.mira.id }] });
    await within((tx) => leaveGroup(tx, people.noor, { groupId: group.id }));
    expect(await status(tomas)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.noor.id }] });
    noor.socket.disconnect();
    mira.socket.disconnect();
    expect(await status(tomas)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.mira.id }] });
    expect(
      mira.people.all.filter(
        ({ data }) => (data as { status?: string } | undefined)?.status === "DISCONNECTED",
      ),
    ).toHaveLength(1);
  });

  test("does not list people who hide their presence", async () => {
    await within((tx) => updatePrivacy(tx, people.noor, people.noor.id, { showOnline: false }));
    const tomas = inside(await reader(people.tomas));
    await status(tomas);
    const noor = inside(await reader(people.noor));
    expect(who(await status(noor))).toEqual([people.noor.id, people.tomas.id].toSorted());
    await noor.type();
    noor.socket.disconnect();
    const mira = inside(await reader(people.mira));
    expect(who(await status(mira))).toEqual([people.mira.id, people.tomas.id].toSorted());
    expect(await status(tomas)).toMatchObject({ status: "CONNECTED", data: [{ userId: people.mira.id }] });
    expect(tomas.typing.all).toHaveLength(1);
  });

  test("reports a departure when someone starts to hide their presence", async () => {
    const tomas = inside(await reader(people.tomas));
    await status(tomas);
    const noor = inside(await reader(people.noor));
    expect(await status(tomas)).toMatchObject({ status: "CONNECTED", data: [{ userId: people.noor.id }] });
    await within((tx) => updatePrivacy(tx, people.noor, people.noor.id, { inDirectory: false }));
    await within((tx) => updatePrivacy(tx, people.noor, people.noor.id, { showOnline: false }));
    expect(await status(tomas)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.noor.id }] });
    const mira = inside(await reader(people.mira));
    expect(who(await status(mira))).toEqual([people.mira.id, people.tomas.id].toSorted());
    expect(await status(tomas)).toMatchObject({ status: "CONNECTED", data: [{ userId: people.mira.id }] });
    noor.socket.disconnect();
    mira.socket.disconnect();
    expect(await status(tomas)).toMatchObject({ status: "DISCONNECTED", data: [{ userId: people.mira.id }] });
  });

  test("hides blocked people from each other", async () => {
    await within((tx) => blockPerson(tx, people.noor, { personId: people.mira.id }));
    const [mira, noor] = [inside(await reader(people.mira)), inside(await reader(people.noor))];
    expect(who(await status(mira))).toEqual([people.mira.id]);
    expect(who(await status(noor))).toEqual([people.noor.id]);
    await noor.type();
    await mira.type();
    await mira.settled();
    await noor.settled();
    expect([mira.typing.all.length, noor.typing.all.length, mira.people.all.length]).toEqual([1, 1, 2]);
  });
});

describe("own user channel", () => {
  const own = async (viewer: Viewer) => {
    const socket = await line.socket(viewer);
    await waitForConnect(socket);
    const received = collectAnswers(socket).subscribe("PUB_SUB_MESSAGES", { channel: `user:${viewer.id}` });
    return { socket, received, first: await received.next() };
  };
  const about = async ({ received }: Awaited<ReturnType<typeof own>>) =>
    ((await received.next()).data as { message: { about: string } }).message.about;

  test("reports that a count has changed", async () => {
    const tomas = await own(people.tomas);
    await createTestReply(database, people.mira, discussion.id);
    expect(await about(tomas)).toBe("post");
    await within((tx) => sendFriendRequest(tx, people.mira, { personId: people.tomas.id, note: "" }));
    expect(await about(tomas)).toBe("friend");
  });

  test("reports a change when a counted discussion is hidden or restored", async () => {
    const noor = await own(people.noor);
    const it = { discussionId: discussion.id, reason: "Said twice." };
    const other = await createTestGroup(database, { ...people, mira: people.ada }, { name: "The Shed" });
    const ada = await own(people.ada);
    await within((tx) => archiveDiscussion(tx, people.tomas, it));
    expect(await about(noor)).toBe("discussion");
    await within((tx) => unarchiveDiscussion(tx, people.tomas, it));
    expect(await about(noor)).toBe("discussion");
    await within((tx) => deleteDiscussion(tx, people.tomas, it));
    expect(await about(noor)).toBe("discussion");
    await within((tx) => restoreDiscussion(tx, people.tomas, it));
    expect(await about(noor)).toBe("discussion");
    await within((tx) =>
      moveDiscussion(tx, people.tomas, { ...it, groupId: other.id, visibility: "public" }),
    );
    expect([await about(noor), await about(ada)]).toEqual(["discussion", "discussion"]);
  });

  test("marks a post as news unless its discussion or group is muted, or its author blocked", async () => {
    const [tomas, noor] = [await own(people.tomas), await own(people.noor)];
    const news = async ({ received }: typeof tomas) =>
      ((await received.next()).data as { message: { news: boolean } }).message.news;
    await createTestReply(database, people.mira, discussion.id);
    expect([await news(tomas), await news(noor)]).toEqual([true, true]);
    await within((tx) => setFollowLevel(tx, people.tomas, { discussionId: discussion.id, level: "muted" }));
    expect(await news(tomas), "of what they do themselves").toBe(false);
    await within((tx) => blockPerson(tx, people.noor, { personId: people.mira.id }));
    expect(await news(noor)).toBe(false);
    await createTestReply(database, people.mira, discussion.id);
    expect([await news(tomas), await news(noor)]).toEqual([false, false]);
    await within((tx) => setNotifyLevel(tx, people.tomas, { groupId: group.id, level: "mute" }));
    await createTestDiscussion(database, people.mira, group.id, { title: "In a group that is muted" });
    expect(await news(tomas)).toBe(false);
  });

  test("does not report a declined friend request", async () => {
    await within((tx) => sendFriendRequest(tx, people.tomas, { personId: people.mira.id, note: "" }));
    const [tomas, mira] = [await own(people.tomas), await own(people.mira)];
    await within((tx) => declineFriendRequest(tx, people.mira, { personId: people.tomas.id }));
    expect(await about(mira)).toBe("friend");
    await createTestReply(database, people.noor, discussion.id);
    expect(await about(tomas)).toBe("post");
  });

  test("accepts only its owner, and closes when another user signs in on the connection", async () => {
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    expect(
      (await answer.subscribe("PUB_SUB_MESSAGES", { channel: `user:${people.tomas.id}` }).next()).error,
    ).toMatchObject({ code: 404 });
    const tomas = await own(people.tomas);
    const other = await line.tokenOf(people.noor);
    tomas.socket.emit("MET_REQ", {
      id: "switch",
      name: "SET_USER_TOKEN",
      options: { userToken: other!.token },
    });
    expect((await tomas.received.next()).error).toMatchObject({ code: 401 });
  });
});
