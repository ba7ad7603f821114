import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { block, friendStateWith } from "#community/friends";
import { GUEST, type SignedIn } from "#community/rules";
import { aGroup, bring, cast, person } from "../../../test/cast.ts";
import {
  acceptConversation,
  addPeople,
  conversationFor,
  deleteRequest,
  recipientsFor,
  startConversation,
  unreadConversations,
} from "./index.ts";
import { database, db, inbox, say, setting, texts, within, write } from "./talking.fixture.ts";

describe("message to someone who is not a friend", () => {
  test("creates a request of one message until accepted or answered", async () => {
    const { mira, ines } = await setting();
    const { id } = await write(mira, "ines", "May I ask you something?");
    expect([await inbox(ines), (await inbox(ines, "requests")).length, await unreadConversations(db, ines)]).toEqual([[], 1, 0]);
    await expect(say(mira, id, "Hello?")).rejects.toMatchObject({ reason: "conflict" });
    await say(ines, id, "Of course.");
    expect((await inbox(ines)).length).toBe(1);
    await say(mira, id, "Thank you.");
  });

  test("can be accepted, or deleted without notice to the sender", async () => {
    const { mira, ines, ada } = await setting();
    const { id } = await write(mira, "ines");
    await within((tx) => deleteRequest(tx, ines, { conversationId: id }));
    await expect(conversationFor(db, ines, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await conversationFor(db, mira, id)).toMatchObject({ waiting: true });
    const other = await write(ada, "mira");
    await within((tx) => acceptConversation(tx, mira, { conversationId: other.id }));
    await expect(within((tx) => acceptConversation(tx, mira, { conversationId: other.id }))).rejects.toMatchObject({ reason: "not-found" });
    await say(ada, other.id);
    await write(ines, "mira", "I changed my mind.");
    expect(await texts(ines, id)).toHaveLength(2);
  });

  test("follows the recipient's message policy", async () => {
    const { mira, noor, ada } = await setting();
    await expect(write(noor, "mira")).rejects.toMatchObject({ reason: "not-allowed" });
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${mira.id}`);
    await expect(write({ ...noor, trust: "new" }, "mira")).rejects.toMatchObject({ reason: "not-allowed" });
    await write(noor, "mira");
    await run(db, sql`update people set privacy = '{"messages":"nobody"}' where id = ${mira.id}`);
    await expect(write(await within((tx) => person(tx, "pavel")), "mira")).rejects.toMatchObject({ reason: "not-allowed" });
    await write(ada, "mira");
    for (const to of ["nobody", "noor"])
      await expect(write(noor, to)).rejects.toMatchObject({ reason: "invalid", fields: { to: expect.stringContaining(to) } });
    await expect(write(noor, "mira", "x".repeat(1_001))).rejects.toMatchObject({ reason: "conflict" });
  });

  test("from a limited account reaches friends and existing conversations only", async () => {
    const { mira, tomas, noor, ada } = await setting();
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${mira.id}`);
    for (const who of [noor, ada]) {
      await expect(write({ ...who, limited: true }, "mira")).rejects.toMatchObject({ reason: "not-allowed" });
      expect(await recipientsFor(db, { ...who, limited: true }, "mir")).toMatchObject([{ name: "mira", why: "limited" }]);
    }
    const { id } = await write({ ...tomas, limited: true }, "mira");
    await say({ ...tomas, limited: true }, id, "Are you there?");
    expect(await texts(mira, id)).toHaveLength(2);
    const begun = await write(noor, "mira");
    await within((tx) => acceptConversation(tx, mira, { conversationId: begun.id }));
    await say({ ...noor, limited: true }, begun.id);
  });

  test("fails even from friends when the recipient allows no new ones, except for their duties", async () => {
    const { mira, tomas, ada, group } = await setting();
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const before = await write(mira, "tomas");
    await run(db, sql`update people set privacy = '{"messages":"nobody"}' where username in ('mira', 'tomas')`);
    await write(mira, "tomas", "You know me.");
    await say(tomas, before.id, "I do.");
    await run(db, sql`delete from conversations`);
    for (const to of [["tomas"], ["tomas", "ines"]]) await expect(write(mira, to)).rejects.toMatchObject({ reason: "not-allowed" });
    expect((await friendStateWith(db, mira, tomas.id)).canWrite).toBe(false);
    for (const who of [mira, { ...mira, trust: "new" as const }])
      expect(await recipientsFor(db, who, "tomas")).toMatchObject([{ name: "tomas", why: "nobody" }]);
    const several = await write(mira, ["ines", "ada"]);
    await expect(within((tx) => addPeople(tx, mira, { conversationId: several.id, to: ["tomas"] }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await write(ada, "mira");
    await run(db, sql`update memberships set state = 'requested', role = 'member' where person_id = ${mira.id} and group_id = ${group.id}`);
    await write(tomas, "mira");
  });

  test("suggests friends first, then people open to requests, with the reason for others", async () => {
    const { mira, tomas, noor, ines } = await setting();
    await run(db, sql`update people set display_name = 'Marta ' || display_name`);
    const offered = async (who: SignedIn, typed = "mar") => (await recipientsFor(db, who, typed)).map(({ name, why }) => [name, why]);
    expect((await offered(mira))[0]).toEqual(["tomas", null]);
    expect(await offered(mira)).toEqual(
      expect.arrayContaining([
        ["ines", null],
        ["noor", "groups"],
      ]),
    );
    expect(await offered(mira, "mira")).toEqual([]);
    expect((await offered({ ...noor, trust: "new" })).filter(([name]) => name === "mira")).toEqual([["mira", "newcomer"]]);
    await run(
      db,
      sql`update people set privacy = '{"messages":"nobody","inDirectory":false}' where id = any(${[tomas.id, ines.id]}::uuid[])`,
    );
    // A friend is suggested even if hidden from the directory.
    expect(await offered(mira)).toContainEqual(["tomas", "nobody"]);
    expect((await offered(noor)).map(([name]) => name)).not.toContain("tomas");
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    expect((await offered(mira)).map(([name]) => name)).not.toContain("tomas");
    expect((await offered(tomas)).map(([name]) => name)).not.toContain("mira");
    expect(await offered(mira, "")).toEqual([]);
    await expect(recipientsFor(db, GUEST, "mar")).rejects.toMatchObject({ reason: "not-signed-in" });
  });

  test("may go to a group applicant from people who decide on the application", async () => {
    const { tomas, mira, noor } = await cast(database);
    const group = await aGroup(database, { tomas, mira }, { visibility: "private" });
    await within((tx) => run(tx, sql`update people set privacy = '{"messages":"nobody"}' where id = ${noor.id}`));
    const ask = (who: SignedIn) => within((tx) => startConversation(tx, who, { to: ["noor"], name: "", body: "What do you grow?" }));
    await expect(ask(tomas)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => bring(tx, group.id, noor, "requested"));
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await ask(tomas);
  });

  test("has a length limit at first", async () => {
    const { mira } = await setting();
    await expect(write(mira, "ines", "x".repeat(1_001))).rejects.toMatchObject({ reason: "invalid", fields: { body: expect.any(String) } });
  });
});
