import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import {
  receivedByAddress,
  callEmailApi,
  db,
  deliverQueuedEmail,
  testApi,
  describeOutcome,
  PLAIN_EMAIL,
  smtpServer,
  refusedAddresses,
  sendEmail,
  serverSdk,
  signInSdk,
  readEmailStatus,
} from "../../../../test/support/rest/email-api.ts";

describe("email with the published client", () => {
  test("gets sent with text and HTML, and reports its status by id", async () => {
    const parts = { textmessage: "Close the windows.", htmlmessage: "<p>Close the <b>windows</b>.</p>" };
    const info = await sendEmail(["mira@example.org"], { subject: "Grüße: Frost", parts });
    expect(info).toEqual({ messageId: expect.any(String), status: "scheduled", errorMessage: null });
    expect(await readEmailStatus(info.messageId)).toEqual(info);
    await deliverQueuedEmail();
    expect(await readEmailStatus(info.messageId)).toEqual({ ...info, status: "published" });
    const { mail, head } = receivedByAddress()["mira@example.org"]!;
    expect(mail).toMatchObject({
      subject: "Grüße: Frost",
      text: "Close the windows.\n",
      html: "<p>Close the <b>windows</b>.</p>\n",
      from: { address: "kith@example.org", name: "Kith" },
      to: [{ address: "mira@example.org" }],
      attachments: [],
    });
    expect(head).toContain("Auto-Submitted: auto-generated");
    expect(head).not.toContain("List-Unsubscribe");
  });

  test("with HTML only gets a text part with the link addresses", async () => {
    const htmlmessage =
      "<html><head><style>b{color:red}</style></head><body><h1>Frost</h1><ul><li>Close <a " +
      'href="https://kith.test/w">the windows</a></li><li>Tea &amp; cake</li></ul></body></html>';
    await sendEmail(["mira@example.org"], { parts: { htmlmessage } });
    await deliverQueuedEmail();
    expect(smtpServer.handed[0]!.mail.text!.trim()).toBe(
      "Frost\n\n- Close the windows (https://kith.test/w)\n- Tea & cake",
    );
    expect(smtpServer.handed[0]!.mail.html).toContain("<h1>Frost</h1>");
  });

  test("to several people shows all of them and is delivered to each separately", async () => {
    const { messageId } = await sendEmail(["mira@example.org", "tomas@example.net", "MIRA@example.org"]);
    await deliverQueuedEmail();
    expect(smtpServer.handed.map((it) => it.for)).toEqual([["mira@example.org"], ["tomas@example.net"]]);
    for (const { mail } of smtpServer.handed) {
      expect(mail.to!.map(({ address }) => address)).toEqual([
        "mira@example.org",
        "tomas@example.net",
        "MIRA@example.org",
      ]);
      expect(mail.messageId).toBe(`<${messageId}@example.org>`);
    }
  });

  test("attaches files as they are when the mail is sent", async () => {
    const { Files } = serverSdk();
    await Files.saveFile("plans", "bed 1.txt", "Beans & peas", true);
    await Files.saveFile("plans", "empty.txt", "", true);
    await sendEmail(["mira@example.org"], { files: ["/plans/bed 1.txt", "plans/empty.txt"] });
    await Files.saveFile("plans", "bed 1.txt", "Something else", true);
    await deliverQueuedEmail();
    const { attachments } = smtpServer.handed[0]!.mail;
    expect(
      attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()]),
    ).toEqual([
      ["bed 1.txt", "Beans & peas"],
      ["empty.txt", ""],
    ]);
  });

  test("loses its stored text and files after the last delivery", async () => {
    await serverSdk().Files.saveFile("plans", "a.txt", "Beans", true);
    await sendEmail(["mira@example.org", "late@example.org"], { files: ["plans/a.txt"] });
    refusedAddresses.set("late@example.org", 451);
    await deliverQueuedEmail();
    const loadStoredEmail = () =>
      one(
        db,
        sql`select b.body_text as words, a.bytes is not null as bytes from mail_bodies b
          join mail_attachments a on a.body_id = b.id`,
      );
    expect(await loadStoredEmail()).toEqual({ words: "Close the windows.", bytes: true });
    refusedAddresses.clear();
    await deliverQueuedEmail();
    expect(await loadStoredEmail()).toEqual({ words: "", bytes: false });
  });
});

describe("email attachments", () => {
  const withFiles = (...attachment: string[]) =>
    callEmailApi("messaging/email", { ...PLAIN_EMAIL, to: ["mira@example.org"], attachment });

  test("must be readable by the caller", async () => {
    const { Files } = serverSdk();
    await Files.saveFile("safe", "a.txt", "secret", true);
    await (
      Files as unknown as { Permissions: { READ: { denyForAllUsers: (path: string) => Promise<unknown> } } }
    ).Permissions.READ.denyForAllUsers("safe");
    await testApi.set({ mailRoles: "AuthenticatedUser" });
    const mira = await signInSdk("mira");
    await expect(sendEmail(["mira@example.org"], { files: ["safe/a.txt"] }, mira)).rejects.toMatchObject({
      code: 6000,
      status: 404,
    });
    expect(await describeOutcome(sendEmail(["mira@example.org"], { files: ["safe/a.txt"] }))).toBe("sent");
  });

  test("must exist, be files, and fit the number and size limits", async () => {
    expect(await withFiles("nowhere.txt")).toMatchObject({ status: 404, code: 6000 });
    await serverSdk().Files.createDirectory("plans");
    expect(await withFiles("plans")).toMatchObject({
      status: 422,
      errorData: { fields: { attachment: expect.any(String) } },
    });
    expect(await withFiles("../etc/passwd")).toMatchObject({ status: 422 });
    expect(await withFiles(...Array.from({ length: 11 }, () => "a"))).toMatchObject({
      status: 422,
      message: "attachment: can have at most 10 files",
    });
    await serverSdk().Files.saveFile("plans", "large", "x", true);
    await run(db, sql`update api_files set size = 10000001 where name = 'large'`);
    expect(await withFiles("plans/large")).toMatchObject({
      status: 413,
      message: expect.stringContaining("10 MB"),
    });
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
  });

  test("have a limit for the total size in the queue", async () => {
    await serverSdk().Files.saveFile("plans", "a.txt", "Beans", true);
    expect(await withFiles("plans/a.txt")).toMatchObject({ status: 200 });
    await run(db, sql`update mail_attachments set size = 200000000`);
    expect(await withFiles("plans/a.txt")).toMatchObject({ status: 503 });
    await deliverQueuedEmail();
    expect(await withFiles("plans/a.txt")).toMatchObject({ status: 200 });
  });
});

describe("invalid email", () => {
  test.each<[string, object, number, string]>([
    ["no body", {}, 422, "subject: must be a string"],
    [
      "empty text",
      { ...PLAIN_EMAIL, bodyparts: { textmessage: " " }, to: ["a@b.org"] },
      422,
      "needs text, HTML or both",
    ],
    [
      "invalid parts",
      { ...PLAIN_EMAIL, bodyparts: [], to: ["a@b.org"] },
      422,
      "bodyparts: must be an object",
    ],
    ["no subject", { ...PLAIN_EMAIL, subject: " \r\n ", to: ["a@b.org"] }, 422, "needs a subject"],
    [
      "a subject that is too long",
      { ...PLAIN_EMAIL, subject: "x".repeat(251), to: ["a@b.org"] },
      422,
      "250 characters",
    ],
    [
      "text that is too long",
      { ...PLAIN_EMAIL, bodyparts: { textmessage: "x".repeat(200_001) }, to: ["a@b.org"] },
      413,
      "200000 characters",
    ],
    ["no recipient", { ...PLAIN_EMAIL, to: [] }, 422, "to: must name a recipient"],
    [
      "recipients that are not a list",
      { ...PLAIN_EMAIL, to: "a@b.org" },
      422,
      "to: must be a list of mail addresses",
    ],
    [
      "too many recipients",
      { ...PLAIN_EMAIL, to: Array.from({ length: 501 }, (_, n) => `a${n}@b.org`) },
      422,
      "at most 500 addresses",
    ],
    [
      "recipient without an address",
      { ...PLAIN_EMAIL, to: ["a@b.org", "somebody"] },
      422,
      "to.1: must be a mail address",
    ],
    [
      "two addresses in one",
      { ...PLAIN_EMAIL, to: ["a@b.org, c@d.org"] },
      422,
      "to.0: must be a mail address",
    ],
    [
      "a name with its address",
      { ...PLAIN_EMAIL, to: ["Eve <a@b.org>"] },
      422,
      "to.0: must be a mail address",
    ],
    [
      "an address with another mail header",
      { ...PLAIN_EMAIL, to: ["a@b.org\r\nBcc: c@d.org"] },
      422,
      "to.0: must be a mail address",
    ],
    ["a number as recipient", { ...PLAIN_EMAIL, to: [7] }, 422, "to.0: must be a mail address"],
  ])("gets refused by field: %s", async (_what, body, expected, words) => {
    expect(await callEmailApi("messaging/email", body)).toMatchObject({
      status: expected,
      message: expect.stringContaining(words),
    });
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
  });

  test("cannot have several lines in its subject", async () => {
    await sendEmail(["mira@example.org"], { subject: "Frost\r\nBcc: all@example.org\r\n\r\nBody" });
    await deliverQueuedEmail();
    const { head, mail, for: whom } = smtpServer.handed[0]!;
    expect(head).not.toMatch(/^Bcc:/im);
    expect([mail.subject, whom]).toEqual(["Frost Bcc: all@example.org Body", ["mira@example.org"]]);
  });
});
