import Backendless from "backendless";
import { describe, expect, test } from "vitest";
import {
  createEmailTemplate,
  changeEmailTemplate,
  listEmailTemplates,
  deleteEmailTemplate,
} from "#baas/email";
import { many, run, sql } from "#platform/database";
import {
  receivedByAddress,
  callEmailApi,
  clock,
  db,
  deliverQueuedEmail,
  testApi,
  smtpServer,
  serverSdk,
  signInSdk,
  readEmailStatus,
  createTestTemplate,
} from "../../../../test/support/rest/email-api.ts";

type Info = { messageId: string; status: string; errorMessage: string | null };
const values = { name: "Mira", bed: 7 };
const send = (
  envelope: object,
  given: object | undefined = values,
  client = serverSdk(),
  files?: string[],
  name = "Welcome",
) => {
  const made = (
    client.Messaging as unknown as { EmailEnvelope: typeof Backendless.EmailEnvelope }
  ).EmailEnvelope.create(envelope);
  return client.Messaging.sendEmailFromTemplate(name, made, given, files) as unknown as Promise<Info>;
};
const visible = () =>
  Object.fromEntries(
    smtpServer.handed.map(({ for: whom, mail }) => [
      whom.join(),
      {
        to: (mail.to ?? []).map(({ address }) => address),
        cc: (mail.cc ?? []).map(({ address }) => address),
      },
    ]),
  );

describe("template email with the published client", () => {
  test("fills placeholders, escaped in HTML", async () => {
    await createTestTemplate();
    await serverSdk().Files.saveFile("plans", "a.txt", "Beans", true);
    const name = `<script>"it's" & {bed}`;
    const info = await send({ addresses: "mira@example.org" }, { name, bed: 7, unused: true }, serverSdk(), [
      "plans/a.txt",
    ]);
    await deliverQueuedEmail();
    const { mail } = smtpServer.handed[0]!;
    expect(mail.subject).toBe(`Welcome, ${name}`);
    expect(mail.text).toBe(`Hello ${name}, your bed is 7.\n`);
    expect(mail.html).toBe(
      "<p>Hello <b>&lt;script&gt;&quot;it&#39;s&quot; &amp; {bed}</b>, your bed is 7.</p>\n",
    );
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(["a.txt"]);
    expect(await readEmailStatus(info.messageId)).toMatchObject({ status: "published" });
  });

  test("leaves non-placeholders unchanged, and fills null as empty", async () => {
    await createTestTemplate({
      name: "Styled",
      subject: "Bed {bed}",
      text: "",
      html: "<style>p{color:red} a { }</style><p>{bed}|{no place}|{}</p>",
    });
    await send({ addresses: "mira@example.org" }, { bed: null }, serverSdk(), undefined, "Styled");
    await deliverQueuedEmail();
    const { mail } = smtpServer.handed[0]!;
    expect(mail.subject).toBe("Bed");
    expect(mail.html).toContain("<style>p{color:red} a { }</style><p>|{no place}|{}</p>");
  });

  test("strips line breaks of values from headers", async () => {
    await createTestTemplate();
    await send({ addresses: "mira@example.org" }, { name: "Mira\r\nBcc: all@example.org", bed: 1 });
    await deliverQueuedEmail();
    expect(smtpServer.handed[0]!.head).not.toMatch(/^Bcc:/im);
    expect(smtpServer.handed[0]!.mail.subject).toBe("Welcome, Mira Bcc: all@example.org");
  });

  test("missing template returns its error code", async () => {
    await expect(send({ addresses: "mira@example.org" })).rejects.toMatchObject({
      code: 24002,
      message: "Email Template with name 'Welcome' doesn't exist.",
    });
  });

  test("missing values are refused by name", async () => {
    await createTestTemplate();
    await expect(send({ addresses: "mira@example.org" }, { name: "Mira" })).rejects.toMatchObject({
      status: 422,
      message: "These values of the template are missing: bed.",
    });
    // Inherited object properties are no values.
    await createTestTemplate({ name: "Odd", text: "{constructor} {toString}", html: "" });
    await expect(
      send({ addresses: "mira@example.org" }, values, serverSdk(), undefined, "Odd"),
    ).rejects.toMatchObject({
      message: "These values of the template are missing: constructor, toString.",
    });
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["nobody", {}, "addresses: must name recipients if there are no criteria"],
    ["no address in copy", { "cc-addresses": ["x"] }, "cc-addresses.0: must be a mail address"],
    [
      "no address in blind copy",
      { "bcc-addresses": ["a@b.org", "a@b.org\nTo: x@y.org"] },
      "bcc-addresses.1: must be a mail address",
    ],
    [
      "a value that is none",
      { addresses: ["a@b.org"], "template-values": { name: {} } },
      "template-values.name: must be a text",
    ],
    [
      "values that are none",
      { addresses: ["a@b.org"], "template-values": [] },
      "template-values: must be an object",
    ],
    [
      "a word for yes",
      { addresses: ["a@b.org"], uniqueEmails: "yes" },
      "uniqueEmails: must be true or false",
    ],
    ["a criterion that is none", { criteria: 7 }, "criteria: must be a condition"],
    [
      "a template without a name",
      { addresses: ["a@b.org"], "template-name": "" },
      "template-name: must be the name of a template",
    ],
    [
      "too long when it is filled",
      { addresses: ["a@b.org"], "template-values": { name: "x".repeat(300), bed: 1 } },
      "250 characters",
    ],
  ])("refuses %s", async (_what, body, words) => {
    await createTestTemplate();
    const answer = await callEmailApi("emailtemplate/send", {
      "template-name": "Welcome",
      "template-values": values,
      uniqueEmails: false,
      ...body,
    });
    expect(answer).toMatchObject({ status: 422, message: expect.stringContaining(words) });
  });
});

describe("recipient visibility", () => {
  const envelope = {
    addresses: ["a@example.org", "b@example.org"],
    ccAddresses: ["c@example.org"],
    bccAddresses: ["unseen@example.org", "a@example.org"],
  };

  test("one mail shows to and cc, and bcc to no one", async () => {
    await createTestTemplate();
    await send(envelope);
    await deliverQueuedEmail();
    const heads = { to: ["a@example.org", "b@example.org"], cc: ["c@example.org"] };
    expect(visible()).toEqual({
      "a@example.org": heads,
      "b@example.org": heads,
      "c@example.org": heads,
      "unseen@example.org": heads,
    });
    for (const { raw } of smtpServer.handed) expect(raw).not.toContain("unseen@example.org");
  });

  test("uniqueEmails sends each recipient a separate mail", async () => {
    await createTestTemplate();
    await send({ ...envelope, uniqueEmails: true });
    await deliverQueuedEmail();
    const alone = (address: string) => ({ [address]: { to: [address], cc: [] } });
    expect(visible()).toEqual(
      Object.assign({}, ...["a", "b", "c", "unseen"].map((it) => alone(`${it}@example.org`))),
    );
    expect(new Set(smtpServer.handed.map(({ mail }) => mail.messageId)).size).toBe(4);
  });

  test("bcc alone sends each recipient a separate mail", async () => {
    await createTestTemplate();
    await send({ bccAddresses: ["c@example.org", "unseen@example.org"] });
    await deliverQueuedEmail();
    expect(visible()).toEqual({
      "c@example.org": { to: ["c@example.org"], cc: [] },
      "unseen@example.org": { to: ["unseen@example.org"], cc: [] },
    });
  });
});

describe("recipients found by criteria", () => {
  test("get separate mails with one-click unsubscribe", async () => {
    await createTestTemplate();
    for (const name of ["ana", "ben", "cleo"]) await testApi.member(name);
    await send({ query: "username in ('ana', 'ben')", addresses: "x@example.org" });
    await deliverQueuedEmail();
    expect(visible()).toEqual({
      "x@example.org": { to: ["x@example.org"], cc: [] },
      "ana@example.org": { to: ["ana@example.org"], cc: [] },
      "ben@example.org": { to: ["ben@example.org"], cc: [] },
    });
    const { head } = receivedByAddress()["ana@example.org"]!;
    expect(head).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(head).toMatch(/List-Unsubscribe: <http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]+>/);
    expect(receivedByAddress()["x@example.org"]!.head).not.toContain("List-Unsubscribe");
  });

  test("get one mail even when named as well", async () => {
    await createTestTemplate();
    await testApi.member("ana");
    await send({ query: "1=1", addresses: ["Ana@example.org", "b@example.org"] });
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
      sql`insert into mail_suppressions (person_id, scope, at) values (${ids["cleo"]}, 'kind:programs', ${clock.at})`,
    );
    await run(db, sql`update people set state = 'suspended' where id = ${ids["dora"]}`);
    await run(db, sql`update people set state = 'unverified' where id = ${ids["emil"]}`);
    await run(db, sql`update people set email = null where id = ${ids["finn"]}`);
    const { messageId } = await send({ query: "objectId is not null" });
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["ana@example.org"]);
    const nobody = await send({ query: "username = 'ben'" });
    expect(nobody).toEqual({
      messageId: expect.any(String),
      status: "failed",
      errorMessage: "There is nobody to write to.",
    });
    expect([await readEmailStatus(nobody.messageId), (await readEmailStatus(messageId)).status]).toEqual([
      nobody,
      "published",
    ]);
  });

  test("include only people the caller can find, and hidden fields find no one", async () => {
    await createTestTemplate();
    await testApi.set({ mailRoles: "AuthenticatedUser" });
    const [ana, ben, cleo] = [await signInSdk("ana"), await signInSdk("ben"), await signInSdk("cleo")];
    await run(
      db,
      sql`insert into blocks (blocker_id, blocked_id, created_at) values (${cleo.id}, ${ana.id}, ${clock.at})`,
    );
    await send({ query: "username <> 'ana'" }, values, ana);
    expect(await send({ query: "email = 'ben@example.org'" }, values, ana)).toMatchObject({
      status: "failed",
    });
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["ben@example.org"]);
    expect(await send({ query: "email = 'ben@example.org'" })).toMatchObject({ status: "scheduled" });
    expect(ben.id).toBeDefined();
  });

  test("stop at five thousand per mail", async () => {
    await createTestTemplate();
    await testApi.set({ mailsPerHour: 0 });
    const people = (from: number, to: number) =>
      run(
        db,
        sql`insert into people (id, username, display_name, email, state, created_at, updated_at)
            select gen_random_uuid(), 'user' || n, 'U', 'user' || n || '@h' || (n % 5) || '.org', 'active', ${clock.at}, ${clock.at}
            from generate_series(${from}::int, ${to}::int) n`,
      );
    await people(1, 5_000);
    expect(await send({ query: "1=1" })).toMatchObject({ status: "scheduled" });
    await people(5_001, 5_001);
    await expect(send({ query: "1=1" })).rejects.toMatchObject({ status: 413 });
    expect(await many(db, sql`select 1 from mails`)).toHaveLength(5_000);
  });

  test("require a valid condition", async () => {
    await createTestTemplate();
    for (const query of ["frost >", "nothing = 'x'", "1=1; drop table people"])
      await expect(send({ query })).rejects.toMatchObject({ status: 400 });
    expect(await many(db, sql`select 1 from api_emails`)).toEqual([]);
  });
});

describe("email templates", () => {
  const given = { name: "A", subject: "S", text: "T", html: "" };
  test("require a unique name and content", async () => {
    const { mails } = testApi.app;
    const id = await createEmailTemplate(mails, given);
    await expect(createEmailTemplate(mails, given)).rejects.toMatchObject({
      reason: "invalid",
      fields: { name: expect.any(String) },
    });
    const other = await createEmailTemplate(mails, { ...given, name: "B" });
    await expect(changeEmailTemplate(mails, other, given)).rejects.toMatchObject({
      fields: { name: expect.any(String) },
    });
    await expect(createEmailTemplate(mails, { ...given, name: "C", text: " " })).rejects.toMatchObject({
      fields: { text: expect.any(String) },
    });
    await changeEmailTemplate(mails, id, { ...given, name: "Z" });
    expect((await listEmailTemplates(mails)).map(({ name }) => name)).toEqual(["B", "Z"]);
    await deleteEmailTemplate(mails, id);
    for (const gone of [id, "none"]) {
      await expect(deleteEmailTemplate(mails, gone)).rejects.toMatchObject({ reason: "not-found" });
      await expect(changeEmailTemplate(mails, gone, given)).rejects.toMatchObject({ reason: "not-found" });
    }
  });

  test("stop at five hundred", async () => {
    await run(
      db,
      sql`insert into mail_templates (id, name, subject, body_text, body_html, created_at, updated_at)
          select gen_random_uuid(), 't' || n, 's', 't', '', ${clock.at}, ${clock.at} from generate_series(1, 500) n`,
    );
    await expect(createEmailTemplate(testApi.app.mails, given)).rejects.toMatchObject({
      reason: "too-large",
    });
  });
});
