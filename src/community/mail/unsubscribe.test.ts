import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { createSigner } from "#platform/signing";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  countUnsubscriptions,
  resubscribeToAllMail,
  resubscribeToMail,
  mailScope,
  getUnsubscribeState,
  unsubscribeFromMail,
  signUnsubscribeToken,
} from "./unsubscribe.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const signer = createSigner(randomBytes(32));
const PLACE = "01900000-0000-7000-8000-00000000d001";
let people: TestUsers;
beforeEach(async () => {
  people = await createTestUsers(database);
});

const token = (scope = mailScope("discussion", PLACE)) => signUnsubscribeToken(signer, people.mira.id, scope);
const level = async () =>
  (await one(db, sql<{ level: string }>`select mail_level as level from people where id = ${people.mira.id}`))
    .level;

describe("unsubscribe link", () => {
  test("changes nothing when opened", async () => {
    expect(await getUnsubscribeState(db, signer, token())).toEqual({
      scope: `discussion:${PLACE}`,
      stopped: false,
      all: false,
    });
    expect(await countUnsubscriptions(db, people.mira)).toBe(0);
  });

  test("stops only its own kind of mail, and only for its own recipient", async () => {
    for (let n = 0; n < 3; n++) await within((tx) => unsubscribeFromMail(tx, signer, token()));
    expect(await getUnsubscribeState(db, signer, token())).toMatchObject({ stopped: true, all: false });
    expect(await getUnsubscribeState(db, signer, token(mailScope("digest")))).toMatchObject({
      stopped: false,
    });
    expect([
      await countUnsubscriptions(db, people.mira),
      await countUnsubscriptions(db, people.tomas),
    ]).toEqual([1, 0]);
    expect(await level()).toBe("important");
  });

  test("can stop all notification mail, and resume it", async () => {
    await run(
      db,
      sql`insert into notification_choices (person_id, kind, shown, mailed, pushed)
        values (${people.mira.id}, 'reply', true, true, true)`,
    );
    await run(
      db,
      sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, created_at,
        updated_at, mail_at)
          values (${PLACE}, ${people.mira.id}, 'reply', 'discussion', ${PLACE}, 'you_wrote', now(), now(),
            now())`,
    );
    await within((tx) => unsubscribeFromMail(tx, signer, token(), true));
    expect(await level()).toBe("nothing");
    // Mail of single kinds is switched off too, and waiting mail is not sent.
    expect(await one(db, sql`select mailed from notification_choices`)).toEqual({ mailed: false });
    expect(await one(db, sql`select mail_at from notifications`)).toEqual({ mail_at: null });
    expect(await getUnsubscribeState(db, signer, token())).toMatchObject({ stopped: true, all: true });
    await within((tx) => resubscribeToMail(tx, signer, token()));
    expect(await level()).toBe("important");
    expect(await getUnsubscribeState(db, signer, token())).toMatchObject({ stopped: false });
  });

  test("can resume its kind of mail, and a signed-in person can resume all kinds", async () => {
    for (const scope of [mailScope("digest"), mailScope("kind", "friend_request")])
      await within((tx) =>
        unsubscribeFromMail(tx, signer, signUnsubscribeToken(signer, people.mira.id, scope)),
      );
    await within((tx) => resubscribeToMail(tx, signer, token(mailScope("digest"))));
    expect(await countUnsubscriptions(db, people.mira)).toBe(1);
    await within((tx) => resubscribeToAllMail(tx, people.mira));
    expect(await countUnsubscriptions(db, people.mira)).toBe(0);
    await expect(countUnsubscriptions(db, people.guest)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(within((tx) => resubscribeToAllMail(tx, people.guest))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
  });

  test("returns not-found for a forged token or a deleted person", async () => {
    const erased = token();
    await run(db, sql`update people set state = 'erased', email = null where id = ${people.mira.id}`);
    const forgedTokens = [
      "",
      "nonsense",
      signer.sign("other", `${people.tomas.id} all`),
      signer.sign("stop-mail", "tomas all"),
      signUnsubscribeToken(signer, people.tomas.id, mailScope("everything")),
    ];
    for (const bad of [...forgedTokens, erased])
      await expect(getUnsubscribeState(db, signer, bad)).rejects.toMatchObject({ reason: "not-found" });
    for (const bad of forgedTokens)
      await expect(within((tx) => unsubscribeFromMail(tx, signer, bad))).rejects.toMatchObject({
        reason: "not-found",
      });
    await within((tx) => unsubscribeFromMail(tx, signer, erased, true));
    expect(await level()).toBe("important");
  });
});
