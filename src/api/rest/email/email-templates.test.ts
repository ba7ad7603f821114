import { describe, expect, test } from "vitest";
import {
  createEmailTemplate,
  changeEmailTemplate,
  listEmailTemplates,
  deleteEmailTemplate,
} from "#baas/email";
import { many, run, sql } from "#platform/database";
import {
  callEmailApi,
  clock,
  db,
  deliverQueuedEmail,
  testApi,
  smtpServer,
  serverSdk,
  readEmailStatus,
  createTestTemplate,
} from "../../../../test/support/rest/email-api.ts";
import { TEMPLATE_VALUES, sendTemplateEmail } from "../../../../test/support/rest/template-email.ts";

describe("template email with the published client", () => {
  test("fills placeholders, escaped in HTML", async () => {
    await createTestTemplate();
    await serverSdk().Files.saveFile("plans", "a.txt", "Beans", true);
    const name = `<script>"it's" & {bed}`;
    const info = await sendTemplateEmail(
      { addresses: "mira@example.org" },
      { name, bed: 7, unused: true },
      serverSdk(),
      ["plans/a.txt"],
    );
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

  test("leaves other text in braces unchanged, and inserts nothing for null", async () => {
    await createTestTemplate({
      name: "Styled",
      subject: "Bed {bed}",
      text: "",
      html: "<style>p{color:red} a { }</style><p>{bed}|{no place}|{}</p>",
    });
    await sendTemplateEmail(
      { addresses: "mira@example.org" },
      { bed: null },
      serverSdk(),
      undefined,
      "Styled",
    );
    await deliverQueuedEmail();
    const { mail } = smtpServer.handed[0]!;
    expect(mail.subject).toBe("Bed");
    expect(mail.html).toContain("<style>p{color:red} a { }</style><p>|{no place}|{}</p>");
  });

  test("strips line breaks of values from mail headers", async () => {
    await createTestTemplate();
    await sendTemplateEmail(
      { addresses: "mira@example.org" },
      { name: "Mira\r\nBcc: all@example.org", bed: 1 },
    );
    await deliverQueuedEmail();
    expect(smtpServer.handed[0]!.head).not.toMatch(/^Bcc:/im);
    expect(smtpServer.handed[0]!.mail.subject).toBe("Welcome, Mira Bcc: all@example.org");
  });

  test("gets its own error code when the template is missing", async () => {
    await expect(sendTemplateEmail({ addresses: "mira@example.org" })).rejects.toMatchObject({
      code: 24002,
      message: "Email Template with name 'Welcome' doesn't exist.",
    });
  });

  test("gets refused with the names of missing values", async () => {
    await createTestTemplate();
    await expect(
      sendTemplateEmail({ addresses: "mira@example.org" }, { name: "Mira" }),
    ).rejects.toMatchObject({
      status: 422,
      message: "Missing template values: bed.",
    });
    // Inherited object properties are no values.
    await createTestTemplate({ name: "Odd", text: "{constructor} {toString}", html: "" });
    await expect(
      sendTemplateEmail({ addresses: "mira@example.org" }, TEMPLATE_VALUES, serverSdk(), undefined, "Odd"),
    ).rejects.toMatchObject({
      message: "Missing template values: constructor, toString.",
    });
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["a missing recipient", {}, "addresses: must name recipients if there are no criteria"],
    ["an invalid address in cc", { "cc-addresses": ["x"] }, "cc-addresses.0: must be a mail address"],
    [
      "an invalid address in bcc",
      { "bcc-addresses": ["a@b.org", "a@b.org\nTo: x@y.org"] },
      "bcc-addresses.1: must be a mail address",
    ],
    [
      "an invalid value",
      { addresses: ["a@b.org"], "template-values": { name: {} } },
      "template-values.name: must be a string",
    ],
    [
      "values that are not an object",
      { addresses: ["a@b.org"], "template-values": [] },
      "template-values: must be an object",
    ],
    [
      "a text instead of a boolean",
      { addresses: ["a@b.org"], uniqueEmails: "yes" },
      "uniqueEmails: must be true or false",
    ],
    ["an invalid criterion", { criteria: 7 }, "criteria: must be a condition"],
    [
      "a missing template name",
      { addresses: ["a@b.org"], "template-name": "" },
      "template-name: must be the name of a template",
    ],
    [
      "a subject that becomes too long",
      { addresses: ["a@b.org"], "template-values": { name: "x".repeat(300), bed: 1 } },
      "250 characters",
    ],
  ])("refuses %s", async (_what, body, words) => {
    await createTestTemplate();
    const answer = await callEmailApi("emailtemplate/send", {
      "template-name": "Welcome",
      "template-values": TEMPLATE_VALUES,
      uniqueEmails: false,
      ...body,
    });
    expect(answer).toMatchObject({ status: 422, message: expect.stringContaining(words) });
  });
});

describe("email templates", () => {
  const template = { name: "A", subject: "S", text: "T", html: "" };
  test("require a unique name and content", async () => {
    const { mails } = testApi.app;
    const id = await createEmailTemplate(mails, template);
    await expect(createEmailTemplate(mails, template)).rejects.toMatchObject({
      reason: "invalid",
      fields: { name: expect.any(String) },
    });
    const other = await createEmailTemplate(mails, { ...template, name: "B" });
    await expect(changeEmailTemplate(mails, other, template)).rejects.toMatchObject({
      fields: { name: expect.any(String) },
    });
    await expect(createEmailTemplate(mails, { ...template, name: "C", text: " " })).rejects.toMatchObject({
      fields: { text: expect.any(String) },
    });
    await changeEmailTemplate(mails, id, { ...template, name: "Z" });
    expect((await listEmailTemplates(mails)).map(({ name }) => name)).toEqual(["B", "Z"]);
    await deleteEmailTemplate(mails, id);
    for (const missingId of [id, "none"]) {
      await expect(deleteEmailTemplate(mails, missingId)).rejects.toMatchObject({ reason: "not-found" });
      await expect(changeEmailTemplate(mails, missingId, template)).rejects.toMatchObject({
        reason: "not-found",
      });
    }
  });

  test("have a limit of five hundred", async () => {
    await run(
      db,
      sql`insert into mail_templates (id, name, subject, body_text, body_html, created_at, updated_at)
          select gen_random_uuid(), 't' || n, 's', 't', '', ${clock.at}, ${clock.at}
          from generate_series(1, 500) n`,
    );
    await expect(createEmailTemplate(testApi.app.mails, template)).rejects.toMatchObject({
      reason: "too-large",
    });
  });
});
