import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { blockPerson, getFriendState, sendFriendRequest } from "#community/friends";
import { GUEST, type SignedIn } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import {
  acceptConversation,
  addParticipants,
  getConversation,
  deleteRequest,
  suggestRecipients,
  startConversation,
  countUnreadConversations,
} from "./index.ts";
import {
  database,
  db,
  listInboxIds,
  sendTestMessage,
  setupConversation,
  listMessageTexts,
  within,
  startTestConversation,
} from "../../../test/support/conversations/conversation-setup.ts";

describe("message to someone who is not a friend", () => {
  test("creates a request that allows no second message until it is accepted or answered", async () => {
    const { mira, ines } = await setupConversation();
    const { id } = await startTestConversation(mira, "ines", "May I ask you something?");
    expect([
      await listInboxIds(ines),
      (await listInboxIds(ines, "requests")).length,
      await countUnreadConversations(db, ines),
    ]).toEqual([[], 1, 0]);
    await expect(sendTestMessage(mira, id, "Hello?")).rejects.toMatchObject({ reason: "conflict" });
    await sendTestMessage(ines, id, "Of course.");
    expect((await listInboxIds(ines)).length).toBe(1);
    await sendTestMessage(mira, id, "Thank you.");
  });

  test("can be accepted, or deleted without the sender being notified", async () => {
    const { mira, ines, ada } = await setupConversation();
    const { id } = await startTestConversation(mira, "ines");
    await within((tx) => deleteRequest(tx, ines, { conversationId: id }));
    await expect(getConversation(db, ines, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await getConversation(db, mira, id)).toMatchObject({ waiting: true });
    const other = await startTestConversation(ada, "mira");
    await within((tx) => acceptConversation(tx, mira, { conversationId: other.id }));
    await expect(
      within((tx) => acceptConversation(tx, mira, { conversationId: other.id })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await sendTestMessage(ada, other.id);
    await startTestConversation(ines, "mira", "I changed my mind.");
    expect(await listMessageTexts(ines, id)).toHaveLength(2);
  });

  test("follows the recipient's message policy", async () => {
    const { mira, noor, ada } = await setupConversation();
    await expect(startTestConversation(noor, "mira")).rejects.toMatchObject({ reason: "not-allowed" });
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${mira.id}`);
    await expect(startTestConversation({ ...noor, trust: "new" }, "mira")).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await startTestConversation(noor, "mira");
    await run(db, sql`update people set privacy = '{"messages":"nobody"}' where id = ${mira.id}`);
    await expect(
      startTestConversation(await within((tx) => createPerson(tx, "pavel")), "mira"),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await startTestConversation(ada, "mira");
    for (const to of ["nobody", "noor"])
      await expect(startTestConversation(noor, to)).rejects.toMatchObject({
        reason: "invalid",
        fields: { to: expect.stringContaining(to) },
      });
    await expect(startTestConversation(noor, "mira", "x".repeat(1_001))).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("from a limited account can be sent only to friends and in existing conversations", async () => {
    const { mira, tomas, noor, ada } = await setupConversation();
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${mira.id}`);
    for (const viewer of [noor, ada]) {
      await expect(startTestConversation({ ...viewer, limited: true }, "mira")).rejects.toMatchObject({
        reason: "not-allowed",
      });
      expect(await suggestRecipients(db, { ...viewer, limited: true }, "mir")).toMatchObject([
        { name: "mira", why: "limited" },
      ]);
    }
    const { id } = await startTestConversation({ ...tomas, limited: true }, "mira");
    await sendTestMessage({ ...tomas, limited: true }, id, "Are you there?");
    expect(await listMessageTexts(mira, id)).toHaveLength(2);
    const conversation = await startTestConversation(noor, "mira");
    await within((tx) => acceptConversation(tx, mira, { conversationId: conversation.id }));
    await sendTestMessage({ ...noor, limited: true }, conversation.id);
  });

  test("cannot be sent if the recipient allows no new conversations", async () => {
    const { mira, tomas, ada, group } = await setupConversation();
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const before = await startTestConversation(mira, "tomas");
    await run(
      db,
      sql`update people set privacy = '{"messages":"nobody"}' where username in ('mira', 'tomas')`,
    );
    await startTestConversation(mira, "tomas", "You know me.");
    await sendTestMessage(tomas, before.id, "I do.");
    await run(db, sql`delete from conversations`);
    for (const to of [["tomas"], ["tomas", "ines"]])
      await expect(startTestConversation(mira, to)).rejects.toMatchObject({ reason: "not-allowed" });
    expect((await getFriendState(db, mira, tomas.id)).canWrite).toBe(false);
    for (const viewer of [mira, { ...mira, trust: "new" as const }])
      expect(await suggestRecipients(db, viewer, "tomas")).toMatchObject([{ name: "tomas", why: "nobody" }]);
    const several = await startTestConversation(mira, ["ines", "ada"]);
    await expect(
      within((tx) => addParticipants(tx, mira, { conversationId: several.id, to: ["tomas"] })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await startTestConversation(ada, "mira");
    await run(
      db,
      sql`update memberships set state = 'requested', role = 'member'
        where person_id = ${mira.id} and group_id = ${group.id}`,
    );
    await startTestConversation(tomas, "mira");
  });

  test("can be sent to a group applicant by people who decide on the application", async () => {
    const { tomas, mira, noor } = await createTestUsers(database);
    const group = await createTestGroup(database, { tomas, mira }, { visibility: "private" });
    await within((tx) =>
      run(tx, sql`update people set privacy = '{"messages":"nobody"}' where id = ${noor.id}`),
    );
    const ask = (viewer: SignedIn) =>
      within((tx) => startConversation(tx, viewer, { to: ["noor"], name: "", body: "What do you grow?" }));
    await expect(ask(tomas)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => setMembership(tx, group.id, noor, "requested"));
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await ask(tomas);
  });

  test("refuses links of a new member where the site reads those first, until it is answered", async () => {
    const { mira, ines, tomas } = await setupConversation();
    const group = await createTestGroup(database, { tomas, mira }, { name: "Sowers" });
    await within((tx) => setMembership(tx, group.id, ines, "moderator"));
    const newcomer = { ...mira, trust: "new" as const };
    const link = "See https://beans.example/";
    await run(db, sql`insert into settings (key, value, changed_at) values ('firstPosts', '"links"', now())`);
    await expect(startTestConversation(newcomer, "ines", link)).rejects.toMatchObject({
      fields: { body: expect.anything() },
    });
    await expect(
      within((tx) => sendFriendRequest(tx, newcomer, { personId: ines.id, note: link })),
    ).rejects.toMatchObject({ fields: { note: expect.anything() } });
    const { id } = await startTestConversation(newcomer, "ines", "May I ask you something?");
    await sendTestMessage(ines, id, "Yes.");
    await expect(sendTestMessage(newcomer, id, link)).resolves.toBeDefined();
  });

  test("can have up to a thousand characters in the first message", async () => {
    const { mira } = await setupConversation();
    await expect(startTestConversation(mira, "ines", "x".repeat(1_001))).rejects.toMatchObject({
      reason: "invalid",
      fields: { body: expect.any(String) },
    });
  });
});

test("suggested recipients are friends first, then people open to message requests", async () => {
  const { mira, tomas, noor, ines } = await setupConversation();
  await run(db, sql`update people set display_name = 'Marta ' || display_name`);
  const suggest = async (viewer: SignedIn, typed = "mar") =>
    (await suggestRecipients(db, viewer, typed)).map(({ name, why }) => [name, why]);
  expect((await suggest(mira))[0]).toEqual(["tomas", null]);
  expect(await suggest(mira)).toEqual(
    expect.arrayContaining([
      ["ines", null],
      ["noor", "groups"],
    ]),
  );
  expect(await suggest(mira, "mira")).toEqual([]);
  expect((await suggest({ ...noor, trust: "new" })).filter(([name]) => name === "mira")).toEqual([
    ["mira", "newcomer"],
  ]);
  await run(
    db,
    sql`update people set privacy = '{"messages":"nobody","inDirectory":false}'
        where id = any(${[tomas.id, ines.id]}::uuid[])`,
  );
  // A friend is suggested even if hidden from the directory.
  expect(await suggest(mira)).toContainEqual(["tomas", "nobody"]);
  expect((await suggest(noor)).map(([name]) => name)).not.toContain("tomas");
  await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
  expect((await suggest(mira)).map(([name]) => name)).not.toContain("tomas");
  expect((await suggest(tomas)).map(([name]) => name)).not.toContain("mira");
  expect(await suggest(mira, "")).toEqual([]);
  await expect(suggestRecipients(db, GUEST, "mar")).rejects.toMatchObject({ reason: "not-signed-in" });
});
