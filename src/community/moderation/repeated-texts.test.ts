import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, sql } from "#platform/database";
import { listOwnPendingPosts, listPendingPosts } from "#community/discussions";
import { purgeNewcomerTexts } from "#community/prevention";
import { addLink, addLinkOrAwaitApproval, NewLink } from "#community/resources";
import type { SignedIn } from "#community/rules";
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

describe("resource that another new account sent within 24 hours", () => {
  const link = (fields: object) =>
    NewLink.parse({ url: "https://beans.example/", title: "Beans", ...fields });
  const send = (who: SignedIn, fields: object) =>
    within((tx) => addLinkOrAwaitApproval(tx, who, link(fields)));

  test("waits if its description is the same, under whatever title and address", async () => {
    const { nora, oda, elsa, group } = await setup();
    expect(await send(nora, { why: TEXT, groupId: group.id })).toHaveProperty("id");
    const other = { title: "Peas", url: "https://peas.example/", groupId: group.id };
    expect(await send(oda, { why: SAME, ...other })).toHaveProperty("waits");
    const approvalReason = { kind: "repeat" };
    expect(await listOwnPendingPosts(db, oda)).toMatchObject([{ approvalReason }]);
    expect((await listPendingPosts(db, elsa)).rows).toMatchObject([{ approvalReason }]);
  });

  test("waits if a new account posted its description in a discussion", async () => {
    const { nora, oda, discussion } = await setup();
    await sendReply(nora, discussion.id, { body: TEXT });
    expect(await send(oda, { why: TEXT })).toHaveProperty("waits");
  });

  test("waits if title and address are the same, whatever campaign the address names", async () => {
    const { nora, oda } = await setup();
    const same = { title: "Beans at home", url: "https://beans.example/cheap?utm_source=a" };
    expect(await send(nora, same)).toHaveProperty("id");
    expect(await send(oda, { ...same, url: "https://beans.example/cheap?utm_source=b" })).toHaveProperty(
      "waits",
    );
  });

  test("waits for one of two accounts that send it at once", async () => {
    const { nora, oda } = await setup();
    const sent = await Promise.all([nora, oda].map((who) => send(who, { why: TEXT })));
    expect(sent.filter((it) => "waits" in it)).toHaveLength(1);
  });

  test("is published if only the address is the same, if it is one's own, or of someone who is not new", async () => {
    const { nora, oda, mira } = await setup();
    const at = { url: "https://beans.example/a-long-address-of-an-article" };
    for (const [who, fields] of [
      [nora, { title: "Beans", ...at }],
      [oda, { title: "An article about beans", ...at }],
      [nora, { title: "Once more", why: TEXT }],
      [nora, { title: "Again", why: TEXT }],
      [mira, { title: "Mine", why: TEXT }],
    ] as const) {
      expect(await send(who, fields)).toHaveProperty("id");
      clock.pass(60 * SECOND);
    }
  });

  test("cannot come from clients that cannot show a pending resource", async () => {
    const { nora, oda } = await setup();
    await send(nora, { why: TEXT });
    await expect(within((tx) => addLink(tx, oda, link({ why: TEXT })))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(await listOwnPendingPosts(db, oda)).toEqual([]);
  });
});
