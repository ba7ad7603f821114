import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { NewConversation, sendMessage, startConversation } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const SENDS = 2_000;
/** Number of conversations, with two writers each. */
const PLACES = 2;
/** Number of messages per writer. */
const EACH = SENDS / (PLACES * 2);

/** The client ids and the failures of requests are derived from a hash, so that every run is the same. */
const hashed = (words: string) => createHash("sha256").update(words).digest();
const clientIdOf = (words: string) =>
  hashed(words)
    .toString("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
const chanceOf = (words: string) => hashed(`chance ${words}`).readUInt32BE() / 2 ** 32;

/** Sends and loses one response in five: the message is stored, but its sender does not know. */
async function sendOver(
  badLine: { asked: number; lost: number },
  viewer: SignedIn,
  conversationId: string,
  words: string,
) {
  for (let attempt = 0; ; attempt++) {
    badLine.asked += 1;
    const sent = () =>
      within((tx) => sendMessage(tx, viewer, { conversationId, body: words, clientId: clientIdOf(words) }));
    // An impatient client resends while the first request is still running.
    const [answer] =
      chanceOf(`${words} twice ${attempt}`) < 0.02 ? await Promise.all([sent(), sent()]) : [await sent()];
    if (chanceOf(`${words} ${attempt}`) >= 0.2) return answer.seq;
    badLine.lost += 1;
  }
}

test(
  "two thousand messages are stored once and in order although a fifth of the responses is lost",
  { timeout: 300_000 },
  async () => {
    const people = await createTestUsers(database);
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const pairs: [SignedIn, SignedIn, string][] = [
      [people.mira, people.tomas, "tomas"],
      [people.ines, people.ada, "ada"],
    ];
    const badLine = { asked: 0, lost: 0 };
    const conversations = await Promise.all(
      pairs.map(async ([one, other, name]) => {
        const { id } = await within((tx) =>
          startConversation(tx, one, NewConversation.parse({ to: name, body: "Ready?" })),
        );
        await within((tx) => sendMessage(tx, other, { conversationId: id, body: "Ready." }));
        const sendAll = async (viewer: SignedIn) => {
          const seqs: number[] = [];
          for (let n = 0; n < EACH; n++) seqs.push(await sendOver(badLine, viewer, id, `${viewer.id} ${n}`));
          return seqs;
        };
        return { id, numbers: await Promise.all([sendAll(one), sendAll(other)]), people: [one, other] };
      }),
    );
    expect(badLine.lost).toBeGreaterThan(badLine.asked * 0.18);
    for (const { id, numbers, people: who } of conversations) {
      const rows = await many(
        db,
        sql<{
          seq: number;
          author: string;
          body: string;
        }>`select seq, author_id as author, body_md as body from messages where conversation_id = ${id}
          order by seq`,
      );
      expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * EACH + 2 }, (_, n) => n + 1));
      for (const [at, { id: personId }] of who.entries()) {
        const mine = rows.filter(({ author, body }) => author === personId && body.startsWith(personId));
        expect(mine.map(({ body }) => body)).toEqual(
          Array.from({ length: EACH }, (_, n) => `${personId} ${n}`),
        );
        expect(mine.map(({ seq }) => seq)).toEqual(numbers[at]);
      }
    }
  },
);
