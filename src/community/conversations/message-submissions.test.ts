import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { createPerson } from "../../../test/support/test-users.ts";
import { NewConversation, startConversation } from "./index.ts";
import {
  database,
  db,
  sendTestMessage,
  getMessages,
  setupTwoConversations,
  listMessageTexts,
  within,
} from "../../../test/support/conversations/two-conversations.ts";

describe("message submission", () => {
  test("with a used client id but another text creates a new message", async () => {
    const { mira, tomas, id } = await setupTwoConversations();
    const clientId = randomUUID();
    const first = await sendTestMessage(mira, id, "I bring the ladder.", { clientId });
    const second = await sendTestMessage(mira, id, "And the saw.", { clientId });
    expect(second.seq).toBe(first.seq + 1);
    expect(await sendTestMessage(mira, id, "I bring the ladder.", { clientId })).toEqual(first);
    expect((await listMessageTexts(tomas, id)).slice(-2)).toEqual([
      "<p>I bring the ladder.</p>",
      "<p>And the saw.</p>",
    ]);
  });

  test("with a used client id but other recipients creates a new conversation", async () => {
    const { mira, tomas, noor } = await setupTwoConversations();
    const clientId = randomUUID();
    const start = (to: string, body: string) =>
      within((tx) => startConversation(tx, mira, NewConversation.parse({ to, body, name: "", clientId })));
    const [both, one] = [await start("tomas, noor", "Friday?"), await start("noor", "Or shall we go alone?")];
    expect(one.id).not.toBe(both.id);
    const again = await start("tomas, noor", "Saturday, then?");
    expect(again.id).not.toBe(both.id);
    expect(await start("tomas, noor", "Friday?")).toEqual(both);
    expect((await listMessageTexts(noor, one.id)).at(-1)).toBe("<p>Or shall we go alone?</p>");
    expect(await listMessageTexts(tomas, again.id)).toEqual(["<p>Saturday, then?</p>"]);
  });

  test("with a client id used in another conversation is refused", async () => {
    const { mira, id, start } = await setupTwoConversations();
    const other = await start("noor", "Something else.");
    const clientId = randomUUID();
    await sendTestMessage(mira, id, "Once.", { clientId });
    await expect(sendTestMessage(mira, other.id, "Once.", { clientId })).rejects.toMatchObject({
      reason: "conflict",
    });
    const again = randomUUID();
    const sent = await Promise.allSettled([
      sendTestMessage(mira, id, "x", { clientId: again }),
      sendTestMessage(mira, other.id, "x", { clientId: again }),
    ]);
    expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(sent.find((it) => it.status === "rejected")).toMatchObject({ reason: { reason: "conflict" } });
  });

  test("with a client id used by another person is stored separately", async () => {
    const { mira, tomas, id } = await setupTwoConversations();
    const clientId = randomUUID();
    const [hers, his] = [
      await sendTestMessage(mira, id, "Hers.", { clientId }),
      await sendTestMessage(tomas, id, "His.", { clientId }),
    ];
    expect(his.seq).toBe(hers.seq + 1);
    expect(await getMessages(tomas, id)).toMatchObject([{}, { clientId: null }, { clientId }]);
  });

  test("has a limit of ten messages in ten seconds and twenty new conversations a day", async () => {
    const { mira, noor, id } = await setupTwoConversations();
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    database.clock.pass(60_000);
    for (let n = 0; n < 10; n++) await sendTestMessage(mira, id, `No. ${n}`);
    await expect(sendTestMessage(mira, id, "One more")).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 10,
    });
    database.clock.pass(10_001);
    await sendTestMessage(mira, id, "Now.");
    await within(async (tx) => {
      for (let n = 0; n < 21; n++) await createPerson(tx, `reader${n}`);
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where username like 'reader%'`);
    });
    const begin = (n: number) =>
      within((tx) =>
        startConversation(tx, noor, NewConversation.parse({ to: `reader${n}`, body: "Hello." })),
      );
    for (let n = 0; n < 20; n++) {
      await begin(n);
      database.clock.pass(20_000);
    }
    await expect(begin(20)).rejects.toMatchObject({ reason: "too-many" });
  });
});
