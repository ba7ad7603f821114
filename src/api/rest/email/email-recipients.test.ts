import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import {
  receivedByAddress,
  clock,
  db,
  deliverQueuedEmail,
  testApi,
  smtpServer,
  signInSdk,
  readEmailStatus,
  createTestTemplate,
} from "../../../../test/support/rest/email-api.ts";
import {
  TEMPLATE_VALUES,
  sendTemplateEmail,
  listVisibleRecipients,
} from "../../../../test/support/rest/template-email.ts";

describe("recipients of one mail", () => {
  const envelope = {
    addresses: ["a@example.org", "b@example.org"],
    ccAddresses: ["c@example.org"],
    bccAddresses: ["unseen@example.org", "a@example.org"],
  };

  test('see the "to" and "cc" recipients, but no "bcc" recipients', async () => {
    await createTestTemplate();
    await sendTemplateEmail(envelope);
    await deliverQueuedEmail();
    const heads = { to: ["a@example.org", "b@example.org"], cc: ["c@example.org"] };
    expect(listVisibleRecipients()).toEqual({
      "a@example.org": heads,
      "b@example.org": heads,
      "c@example.org": heads,
      "unseen@example.org": heads,
    });
    for (const { raw } of smtpServer.handed) expect(raw).not.toContain("unseen@example.org");
  });

  test("get separate mails with uniqueEmails", async () => {
    await createTestTemplate();
    await sendTemplateEmail({ ...envelope, uniqueEmails: true });
    await deliverQueuedEmail();
    const alone = (address: string) => ({ [address]: { to: [address], cc: [] } });
    expect(listVisibleRecipients()).toEqual(
      Object.assign({}, ...["a", "b", "c", "unseen"].map((it) => alone(`${it}@example.org`))),
    );
    expect(new Set(smtpServer.handed.map(({ mail }) => mail.messageId)).size).toBe(4);
  });

  test("get separate mails if all of them are bcc", async () => {
    await createTestTemplate();
    await sendTemplateEmail({ bccAddresses: ["c@example.org", "unseen@example.org"] });
    await deliverQueuedEmail();
    expect(listVisibleRecipients()).toEqual({
      "c@example.org": { to: ["c@example.org"], cc: [] },
      "unseen@example.org": { to: ["unseen@example.org"], cc: [] },
    });
  });
});

describe("recipients found by criteria", () => {
  test("get separate mails with one-click unsubscribe", async () => {
    await createTestTemplate();
    for (const name of ["ana", "ben", "cleo"]) await testApi.member(name);
    await sendTemplateEmail({ query: "username in ('ana', 'ben')", addresses: "x@example.org" });
    await deliverQueuedEmail();
    expect(listVisibleRecipients()).toEqual({
      "x@example.org": { to: ["x@example.org"], cc: [] },
      "ana@example.org": { to: ["ana@example.org"], cc: [] },
      "ben@example.org": { to: ["ben@example.org"], cc: [] },
    });
    const { head } = receivedByAddress()["ana@example.org"]!;
    expect(head).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(head).toMatch(/List-Unsubscribe: <http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]+>/);
    expect(receivedByAddress()["x@example.org"]!.head).not.toContain("List-Unsubscribe");
  });

  test("get one mail, even if their address is also named", async () => {
    await createTestTemplate();
    await testApi.member("ana");
    await sendTemplateEmail({ query: "1=1", addresses: ["Ana@example.org", "b@example.org"] });
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["Ana@example.org", "b@example.org"]);
  });

  test("must have an active account, an address and no opt-out", async () => {
    await createTestTemplate();
    const ids: Record<string, string> = {};
    for (const name of ["ana", "ben", "cleo", "dora", "emil", "finn"]) ids[name] = await testApi.member(name);
    await run(db, sql`update people set mail_level = 'nothing' where id = ${ids["ben"]}`);
    await run(
      db,
      sql`insert into mail_suppressions (person_id, scope, at)
        values (${ids["cleo"]}, 'kind:programs', ${clock.at})`,
    );
    await run(db, sql`update people set state = 'suspended' where id = ${ids["dora"]}`);
    await run(db, sql`update people set state = 'unverified' where id = ${ids["emil"]}`);
    await run(db, sql`update people set email = null where id = ${ids["finn"]}`);
    const { messageId } = await sendTemplateEmail({ query: "objectId is not null" });
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["ana@example.org"]);
    const nobody = await sendTemplateEmail({ query: "username = 'ben'" });
    expect(nobody).toEqual({
      messageId: expect.any(String),
      status: "failed",
      errorMessage: "There are no recipients.",
    });
    expect([await readEmailStatus(nobody.messageId), (await readEmailStatus(messageId)).status]).toEqual([
      nobody,
      "published",
    ]);
  });

  test("include only people the caller can find, by fields the caller can see", async () => {
    await createTestTemplate();
    await testApi.set({ mailRoles: "AuthenticatedUser" });
    const [ana, ben, cleo] = [await signInSdk("ana"), await signInSdk("ben"), await signInSdk("cleo")];
    await run(
      db,
      sql`insert into blocks (blocker_id, blocked_id, created_at)
        values (${cleo.id}, ${ana.id}, ${clock.at})`,
    );
    await sendTemplateEmail({ query: "username <> 'ana'" }, TEMPLATE_VALUES, ana);
    expect(
      await sendTemplateEmail({ query: "email = 'ben@example.org'" }, TEMPLATE_VALUES, ana),
    ).toMatchObject({
      status: "failed",
    });
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["ben@example.org"]);
    expect(await sendTemplateEmail({ query: "email = 'ben@example.org'" })).toMatchObject({
      status: "scheduled",
    });
    expect(ben.id).toBeDefined();
  });

  test("have a limit of five thousand per mail", async () => {
    await createTestTemplate();
    await testApi.set({ mailsPerHour: 0 });
    const people = (from: number, to: number) =>
      run(
        db,
        sql`insert into people (id, username, display_name, email, state, created_at, updated_at)
            select gen_random_uuid(), 'user' || n, 'U', 'user' || n || '@h' || (n % 5) || '.org', 'active',
              ${clock.at}, ${clock.at}
            from generate_series(${from}::int, ${to}::int) n`,
      );
    await people(1, 5_000);
    expect(await sendTemplateEmail({ query: "1=1" })).toMatchObject({ status: "scheduled" });
    await people(5_001, 5_001);
    await expect(sendTemplateEmail({ query: "1=1" })).rejects.toMatchObject({ status: 413 });
    expect(await many(db, sql`select 1 from mails`)).toHaveLength(5_000);
  });

  test("require a valid condition", async () => {
    await createTestTemplate();
    for (const query of ["frost >", "nothing = 'x'", "1=1; drop table people"])
      await expect(sendTemplateEmail({ query })).rejects.toMatchObject({ status: 400 });
    expect(await many(db, sql`select 1 from api_emails`)).toEqual([]);
  });
});
