import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, sql } from "#platform/database";
import { listOwnPendingPosts, listPendingPosts } from "#community/discussions";
import { purgeNewcomerTexts } from "#community/prevention";
import { createPerson, setMembership } from "../../../test/support/test-users.ts";
import {
  clock,
  createApprovalTalk,
  db,
  sendReply,
  within,
} from "../../../test/support/moderation/first-posts-setup.ts";

const TEXT = "Earn **money** at home, with only two hours a day!";
const SAME = "earn money at home with only\n\ntwo hours a d\u200Bay";

/** Nora and Oda are new members, Mira is not; first posts need no approval. */
async function setup() {
  const setting = await createApprovalTalk("off", "public");
  const oda = await within(async (tx) => {
    const person = await createPerson(tx, "oda", "member", "new");
    await setMembership(tx, setting.group.id, person, "member");
    return person;
  });
  return { ...setting, oda };
}

describe("text that another new account posted within 24 hours", () => {
  test("waits for approval, and author and moderators read why", async () => {
    const { nora, oda, elsa, discussion } = await setup();
    expect(await sendReply(nora, discussion.id, { body: TEXT })).toHaveProperty("number");
    expect(await sendReply(oda, discussion.id, { body: SAME })).toHaveProperty("waits");
    const approvalReason = { kind: "repeat" };
    expect(await listOwnPendingPosts(db, oda)).toMatchObject([{ approvalReason }]);
    expect((await listPendingPosts(db, elsa)).rows).toMatchObject([{ approvalReason }]);
  });

  test("waits for one of two accounts that post it at once", async () => {
    const { nora, oda, discussion } = await setup();
    const sent = await Promise.all([nora, oda].map((who) => sendReply(who, discussion.id, { body: TEXT })));
    expect(sent.filter((it) => "waits" in it)).toHaveLength(1);
  });

  test("is published if it is short, one's own, or of someone who is not new", async () => {
    const { nora, oda, mira, discussion } = await setup();
    const publish = async (who: typeof nora, body: string) => {
      expect(await sendReply(who, discussion.id, { body })).toHaveProperty("number");
      clock.pass(60 * SECOND);
    };
    await publish(mira, TEXT);
    await publish(nora, TEXT);
    await publish(mira, TEXT);
    await publish(nora, "Thank you all!");
    await publish(oda, "Thank you all!");
    await publish(nora, `${TEXT} Really.`);
  });

  test("is forgotten after 24 hours", async () => {
    const { nora, oda, discussion } = await setup();
    await sendReply(nora, discussion.id, { body: TEXT });
    expect(await within(purgeNewcomerTexts)).toBe(0);
    clock.pass(DAY);
    expect(await sendReply(oda, discussion.id, { body: TEXT })).toHaveProperty("number");
    expect(await within(purgeNewcomerTexts)).toBe(1);
    expect(await many(db, sql`select from newcomer_texts`)).toHaveLength(1);
  });
});
