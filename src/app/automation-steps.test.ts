import { describe, expect, test } from "vitest";
import { openSettings } from "#community/settings";
import { many, one, run, sql } from "#platform/database";
import { createTestUsers } from "../../test/support/test-users.ts";
import { testDatabase } from "../../test/support/setup/test-database.ts";
import { createMailStep } from "./automation-steps.ts";

const database = await testDatabase();
const mail = createMailStep(openSettings(database));
const HOUSE = { personId: null, server: true, cause: "a run" };

const send = (to: string, { name = "one", by = HOUSE }: { name?: string; by?: typeof HOUSE } = {}) =>
  database.inTransaction((tx) =>
    mail(tx, by, { to, subject: "Your\norder", text: "It is here.\n\nCome by.", name }),
  );
const sent = () =>
  many(
    database.db,
    sql<{
      recipient: string;
      subject: string;
      text: string;
    }>`select recipient, subject, body_text as text from mails order by recipient`,
  );

describe("mail step of an automation", () => {
  test("mails each person or address once, in the person's language", async () => {
    const { mira } = await createTestUsers(database);
    await run(
      database.db,
      sql`update people set email = 'mira@example.org', locale = 'de' where id = ${mira.id}`,
    );
    await send(mira.id);
    await send(mira.id);
    await send("shop@example.org", { name: "two" });
    expect(await sent()).toEqual([
      {
        recipient: "mira@example.org",
        subject: "Your order",
        text: expect.stringContaining("It is here.\n\nCome by.") as string,
      },
      { recipient: "shop@example.org", subject: "Your order", text: expect.any(String) as string },
    ]);
    expect(
      await one(
        database.db,
        sql`select letter ->> 'language' as language, person_id from mails
          where recipient = 'mira@example.org'`,
      ),
    ).toEqual({
      language: "de",
      person_id: mira.id,
    });
  });

  test("refuses missing and invalid addresses", async () => {
    const { noor } = await createTestUsers(database);
    await run(database.db, sql`update people set email = null where id = ${noor.id}`);
    for (const to of [noor.id, "nobody", "a@b", "01900000-0000-7000-8000-00000000ffff"])
      await expect(send(to)).rejects.toMatchObject({
        reason: "invalid",
        message: expect.stringContaining("to:") as string,
      });
    await expect(send("victim@example.org", { by: { ...HOUSE, server: false } })).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(await sent()).toEqual([]);
  });
});
