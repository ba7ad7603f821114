import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { addPerson } from "#community/accounts";
import { sendNotificationMail } from "./send-notification-mail.ts";
import { insertNotification } from "../../../test/support/mail/mail-context.ts";
import { getUnsubscribeState } from "./unsubscribe.ts";
import {
  clock,
  database,
  db,
  group,
  app,
  people,
  within,
} from "../../../test/support/mail/due-mail-setup.ts";

describe("mail about groups and people", () => {
  test.each([
    ["", "the group Kites awaits approval.", sql`state = 'pending'`],
    [
      "owner_requested",
      "the group Kites asks for a new owner.",
      sql`owner_requested_at = ${clock.at}::timestamptz`,
    ],
  ])("reaches only staff, with a link to the group approval queue (%s)", async (detail, words, waiting) => {
    await run(
      db,
      sql`update groups set visibility = 'secret', join_policy = 'invite', name = 'Kites', ${waiting}`,
    );
    const about = {
      kind: "group_waits",
      objectKind: "group",
      objectId: group.id,
      reason: "staff",
      detail,
    } as const;
    for (const who of [people.ada, people.mira, people.noor])
      await insertNotification(database, { ...about, personId: who.id, mailAt: clock.at });
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.to).toBe("ada@example.org");
    expect(mail!.text).toContain(words);
    expect(mail!.text).toContain("https://kith.test/groups/desk");
    const token = /unsubscribe\/([\w-]+)$/.exec(mail!.text)![1]!;
    expect(await getUnsubscribeState(db, app.signer, token)).toMatchObject({ scope: "kind:group_waits" });
  });

  test("reaches only staff, with all accounts awaiting approval in one mail", async () => {
    for (const username of ["zoe", "bea"]) {
      const objectId = await within((tx) =>
        addPerson(tx, { username, name: username, state: "pending_approval" }),
      );
      const about = { kind: "account_waits", objectKind: "person", objectId, reason: "staff" } as const;
      for (const who of [people.ines, people.mira])
        await insertNotification(database, { ...about, personId: who.id, mailAt: clock.at });
    }
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail).toMatchObject({ to: "ines@example.org", subject: "Registration awaiting approval" });
    expect(mail!.text).toContain("a new registration awaits approval.");
    expect(mail!.text).toContain("https://kith.test/admin/people?state=pending_approval");
    const token = /unsubscribe\/([\w-]+)$/.exec(mail!.text)![1]!;
    expect(await getUnsubscribeState(db, app.signer, token)).toMatchObject({ scope: "kind:account_waits" });
  });
});
