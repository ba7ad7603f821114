import { describe, expect, test } from "vitest";
import { run, sql, type Tx } from "#platform/database";
import { blockPerson } from "#community/friends";
import { runConcurrently } from "../../../test/support/concurrently.ts";
import { listEmittedEvents, createPerson } from "../../../test/support/test-users.ts";
import { MessageReaction, reactToMessage, unreactToMessage } from "./index.ts";
import {
  database,
  db,
  getMessages,
  setupTwoConversations,
  within,
} from "../../../test/support/conversations/two-conversations.ts";

describe("message reactions", () => {
  test("show names and counts, with each person counted once per emoji", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    for (const who of [tomas, tomas, mira]) {
      await within((tx) => reactToMessage(tx, who, { messageId: first, emoji: "🌱" }));
      database.clock.pass(1);
    }
    expect(await getMessages(tomas, id)).toMatchObject([
      { reactions: [{ emoji: "🌱", count: 2, mine: true, names: ["Tomas", "Mira"] }] },
    ]);
    await within((tx) => unreactToMessage(tx, tomas, { messageId: first, emoji: "🌱" }));
    expect(await getMessages(tomas, id)).toMatchObject([{ reactions: [{ count: 1, mine: false }] }]);
    expect(
      (await listEmittedEvents(database)).filter((type) => type.startsWith("message.react")),
    ).toHaveLength(2);
    expect(MessageReaction.safeParse({ messageId: first, emoji: "no" }).success).toBe(false);
  });

  test("have a daily limit of fifty that concurrent reactions cannot exceed", async () => {
    const { mira, first, start } = await setupTwoConversations();
    const elsewhere = (await getMessages(mira, (await start("noor", "The shed is open.")).id))[0]!.id;
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    await run(
      db,
      sql`insert into message_reactions (message_id, person_id, emoji, created_at)
          select ${first}, ${mira.id}, 'sign ' || n, ${database.clock.at}::timestamptz
          from generate_series(1, 49) n`,
    );
    const react = (messageId: string) => (tx: Tx) => reactToMessage(tx, mira, { messageId, emoji: "🌱" });
    expect(await runConcurrently(database, react(first), react(elsewhere))).toMatchObject([
      { status: "fulfilled" },
      { reason: { reason: "too-many" } },
    ]);
  });

  test("require an accepted participant and no block", async () => {
    const { mira, tomas, noor, first, start } = await setupTwoConversations();
    await expect(
      within((tx) => reactToMessage(tx, noor, { messageId: first, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    const stranger = await within((tx) => createPerson(tx, "pavel"));
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${stranger.id}`);
    const { id } = await start("pavel", "Hello?");
    const [message] = await getMessages(stranger, id);
    await expect(
      within((tx) => reactToMessage(tx, stranger, { messageId: message!.id, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    await expect(
      within((tx) => reactToMessage(tx, tomas, { messageId: first, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});
