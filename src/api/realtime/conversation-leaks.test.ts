import { describe, expect, test } from "vitest";
import {
  acceptConversation,
  addParticipants,
  deleteMessage,
  deleteRequest,
  editMessage,
  leaveConversation,
  reactToMessage,
  removeParticipant,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { blockPerson } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { run, sql } from "#platform/database";
import { createPerson } from "../../../test/support/test-users.ts";
import { collectAnswers, waitForConnect } from "../../../test/support/realtime/sdk-connection.ts";
import {
  database,
  sdkConnection,
  followEverything,
  BLOCKED_SECRET,
  people,
  within,
} from "../../../test/support/realtime/leak-setup.ts";

describe("real-time events of a conversation", () => {
  const WORD = "Flaschenpost";
  const INSIDE_IT = ["participant", "came later"] as const;
  const OUTSIDE_IT = [
    "guest",
    "stranger",
    "has left",
    "was removed",
    "deleted the request",
    "moderator of the site",
    "admin",
  ] as const;

  /** Starts a conversation in which the viewer has the status `it`, then causes every possible event. */
  async function receiveAs(it: (typeof INSIDE_IT)[number] | (typeof OUTSIDE_IT)[number] | "asked") {
    const { mira, tomas, ines, ada, guest } = people;
    const who = await within(async (tx) => {
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}'`);
      return createPerson(tx, "somebody");
    });
    await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const outsiders = { guest, stranger: who, "moderator of the site": ines, admin: ada };
    const viewer = it in outsiders ? outsiders[it as keyof typeof outsiders] : who;
    const from = { name: "", body: "Hello." };
    const begins = it in outsiders || it === "came later" ? ["tomas"] : ["tomas", "somebody"];
    const { id } = await within((tx) => startConversation(tx, mira, { ...from, to: [...begins, "noor"] }));
    await within((tx) => acceptConversation(tx, tomas, { conversationId: id }));
    const subject = await followEverything(viewer, [`conversationId = '${id}'`]);
    const control = await followEverything(tomas);
    const send = (body: string) => within((tx) => sendMessage(tx, mira, { conversationId: id, body }));
    if (it === "came later") {
      await send("Before Flaschenpost came.");
      await within((tx) => addParticipants(tx, mira, { conversationId: id, to: ["somebody"] }));
    }
    if (it === "participant" || it === "has left")
      await within((tx) => acceptConversation(tx, who, { conversationId: id }));
    if (it === "has left") await within((tx) => leaveConversation(tx, who, { conversationId: id }));
    if (it === "was removed")
      await within((tx) => removeParticipant(tx, mira, { conversationId: id, personId: who.id }));
    if (it === "deleted the request") await within((tx) => deleteRequest(tx, who, { conversationId: id }));
    // A message is delivered in its current state, so each step waits until the previous one has arrived.
    const waitForText = async (words: string) => {
      const recipients = INSIDE_IT.some((inside) => inside === it) ? [control, subject] : [control];
      for (const each of recipients) while (!each.texts().includes(words)) await each.settled();
      await subject.settled();
    };
    const messageId = (await send(WORD)).id;
    await waitForText(WORD);
    await within((tx) => editMessage(tx, mira, { messageId, body: `${WORD} again` }));
    await waitForText(`${WORD} again`);
    await within((tx) => reactToMessage(tx, tomas, { messageId, emoji: "🍐" }));
    await within((tx) => deleteMessage(tx, mira, { messageId }));
    await waitForText('"stub":"deleted"');
    return subject;
  }

  test.each(INSIDE_IT)("reach a participant (%s) from the subscription on", async (it) => {
    const subject = await receiveAs(it);
    const changes = subject.received.map(({ table, event, data }) => [table, event, data["text"]]);
    expect(changes.filter(([, event]) => event === "created").map(([, , text]) => text)).toContain(WORD);
    expect(changes).toContainEqual(["Messages", "updated", `${WORD} again`]);
    expect(subject.texts()).toContain('"stub":"deleted"');
    expect(subject.texts()).not.toContain("Before");
  });

  test("do not reach an invited person who has not accepted", async () => {
    expect(
      (await receiveAs("asked")).received.filter(({ table, data }) => table === "Messages" && data),
    ).toEqual([]);
  });

  test.each(OUTSIDE_IT)("do not reach a non-participant (%s)", async (it) => {
    // The event that closes a subscription contains no record.
    expect((await receiveAs(it)).received.filter(({ table, data }) => table === "Messages" && data)).toEqual(
      [],
    );
  });

  test("reach the other person as stubs after a block, and close the direct conversation", async () => {
    const { mira, tomas, noor } = people;
    await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const begin = (to: string[]) =>
      within((tx) => startConversation(tx, mira, { to, name: "", body: "Hello." }));
    const [three, two] = [await begin(["tomas", "noor"]), await begin(["tomas"])];
    for (const [viewer, { id }] of [
      [tomas, three],
      [noor, three],
      [tomas, two],
    ] as const)
      await within((tx) => acceptConversation(tx, viewer, { conversationId: id }));
    const direct = await sdkConnection.socket(mira);
    await waitForConnect(direct);
    const open = collectAnswers(direct).follow("Messages", "created", `conversationId = '${two.id}'`);
    expect((await open.next()).event).toBe("SUB_READY");
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    expect(await open.next()).toMatchObject({ error: { code: 404 } });
    const [hers, his, theirs] = [
      await followEverything(mira),
      await followEverything(tomas),
      await followEverything(noor),
    ];
    for (const viewer of [mira, tomas])
      await within((tx) => sendMessage(tx, viewer, { conversationId: three.id, body: BLOCKED_SECRET }));
    while (theirs.received.filter(({ table }) => table === "Messages").length < 2) await theirs.settled();
    await hers.settled();
    await his.settled();
    const messagesOf = (of: typeof hers) =>
      of.received
        .filter(({ table }) => table === "Messages")
        .map(({ data }) => [data["ownerId"], data["text"]]);
    expect(messagesOf(theirs)).toEqual([
      [mira.id, BLOCKED_SECRET],
      [tomas.id, BLOCKED_SECRET],
    ]);
    expect(messagesOf(hers)).toEqual([
      [mira.id, BLOCKED_SECRET],
      [tomas.id, null],
    ]);
    expect(messagesOf(his)).toEqual([
      [null, null],
      [tomas.id, BLOCKED_SECRET],
    ]);
  });

  test("include typing only between participants who share their presence", async () => {
    const { mira, tomas, noor } = people;
    const choose = (viewer: SignedIn, showReading: boolean) =>
      run(
        database.db,
        sql`update people set privacy = ${JSON.stringify({ messages: "everyone", showReading })}
          where id = ${viewer.id}`,
      );
    for (const viewer of [mira, tomas, noor]) await choose(viewer, viewer !== noor);
    const { id } = await within((tx) =>
      startConversation(tx, mira, { to: ["tomas", "noor"], name: "", body: "Hello." }),
    );
    for (const viewer of [tomas, noor])
      await within((tx) => acceptConversation(tx, viewer, { conversationId: id }));
    const channel = `conversation:${id}`;
    const on = async (viewer: SignedIn) => {
      const socket = await sdkConnection.socket(viewer);
      await waitForConnect(socket);
      const answer = collectAnswers(socket);
      for (const side of ["PUB_SUB_CONNECT", "PUB_SUB_COMMANDS"])
        await answer.subscribe(side, { channel }).next();
      const received: unknown[] = [];
      socket.on("SUB_RES", (it: { data: unknown }) => received.push(it.data));
      // A method's answer arrives after everything sent before it.
      const settled = () => answer.call("SET_USER_TOKEN", { userToken: socket.session?.token }).next();
      return {
        received,
        settled,
        call: (name: string, options: object) => answer.call(name, options).next(),
      };
    };
    const [hers, his, theirs] = [await on(mira), await on(tomas), await on(noor)];
    for (const each of [hers, theirs])
      expect(await each.call("PUB_SUB_COMMAND", { channel, type: "typing" })).toMatchObject({ result: null });
    for (const each of [his, theirs, hers]) await each.settled();
    expect(his.received).toMatchObject([{ type: "typing", userId: mira.id }]);
    expect([theirs.received, hers.received]).toEqual([[], []]);
  });
});
