import { describe, expect, test } from "vitest";
import { maybeOne, one, sql } from "#platform/database";
import { isBounceLimited, queueMail } from "#platform/mail";
import { processInboundMail } from "./inbound-mail.ts";
import { clock, db, app, createRawMail, within } from "../../../test/support/mail/inbound-setup.ts";

describe("bounce", () => {
  const report = (action: string, status: string) =>
    [
      "--x",
      "Content-Type: text/plain",
      "",
      "It could not be delivered.",
      "--x",
      "Content-Type: message/delivery-status",
      "",
      `Final-Recipient: rfc822; mira@example.org`,
      `Action: ${action}`,
      `Status: ${status}`,
      "--x--",
    ].join("\r\n");
  async function bounced(action: string, status: string, n = 0) {
    await within((tx) =>
      queueMail(tx, {
        to: "mira@example.org",
        kind: "notice",
        letter: { language: "en", community: "Kith", subject: "x", parts: [], act: null },
      }),
    );
    const { id } = await one(
      db,
      sql<{
        id: string;
      }>`select id from mails where failure is null order by created_at desc, id desc limit 1`,
    );
    const raw = createRawMail(report(action, status), {
      to: `reply+back-${id.replaceAll("-", "")}@kith.test`,
      from: "mailer-daemon@example.org",
      id: `<b${n}@x>`,
      more: ["Auto-Submitted: auto-replied", "Return-Path: <>"],
      type: 'multipart/report; report-type=delivery-status; boundary="x"',
    });
    return [await processInboundMail(app, raw), await processInboundMail(app, raw)];
  }

  test("counts once, and a second permanent bounce stops further mail to the address", async () => {
    expect(await bounced("failed", "5.1.1", 1)).toEqual(["bounce", "known"]);
    expect(await isBounceLimited(db, "mira@example.org", clock.at)).toBe(false);
    expect(await bounced("failed", "5.1.1", 2)).toEqual(["bounce", "known"]);
    expect(await isBounceLimited(db, "mira@example.org", clock.at)).toBe(true);
  });

  test("does not count when the mail is only delayed or relayed", async () => {
    for (const [n, [action, status]] of [
      ["delayed", "4.4.1"],
      ["relayed", "2.0.0"],
      ["nothing", ""],
    ].entries())
      expect((await bounced(action!, status!, n))[0]).toBe("automatic");
    expect(await maybeOne(db, sql`select 1 from mail_bounces`)).toBeUndefined();
  });
});

describe("delivery report", () => {
  const score = async () =>
    (await maybeOne(db, sql<{ score: number }>`select score from mail_bounces`))?.score ?? 0;
  const letter = { language: "en", community: "Kith", subject: "x", parts: [], act: null };
  async function reported(
    body: string,
    type: string,
    more: string[] = [],
    from = "MAILER-DAEMON@mx.example.net",
  ) {
    await within((tx) => queueMail(tx, { to: "gone@example.net", kind: "notice", letter }));
    const { id } = await one(
      db,
      sql<{ id: string }>`select id from mails order by created_at desc, id desc limit 1`,
    );
    return processInboundMail(
      app,
      createRawMail(body, { to: `reply+back-${id.replaceAll("-", "")}@kith.test`, from, type, more }),
    );
  }
  const parts = (status: string, ...heads: string[]) =>
    [
      "--x",
      "Content-Type: text/plain",
      "",
      "Sorry.",
      "--x",
      "Content-Type: message/delivery-status",
      ...heads,
      "",
      status,
      "--x--",
    ].join("\r\n");
  const REPORT = 'multipart/report; report-type=delivery-status; boundary="x"';
  const failed = (to: string, action = "failed", status = "5.1.1") =>
    `Final-Recipient: rfc822; ${to}\r\nAction: ${action}\r\nStatus: ${status}\r\n`;
  const mta = "Reporting-MTA: dns; mx.example.net\r\n\r\n";

  test("counts when encoded in base64", async () => {
    const status = Buffer.from(mta + failed("gone@example.net")).toString("base64");
    expect(await reported(parts(status, "Content-Transfer-Encoding: base64"), REPORT)).toBe("bounce");
    expect(await score()).toBe(2);
  });

  test("about several recipients counts only for the address we wrote to", async () => {
    const two = (ours: string) =>
      parts(`${mta}${failed("other@example.net", "delivered", "2.0.0")}\r\n${ours}`);
    expect(await reported(two(failed("gone@example.net")), REPORT)).toBe("bounce");
    expect(await score()).toBe(2);
    const other = parts(
      `${mta}${failed("other@example.net")}\r\n${failed("gone@example.net", "delayed", "4.4.1")}`,
    );
    expect(await reported(other, REPORT)).toBe("automatic");
  });

  test("about a forwarded mail counts for the address we wrote to", async () => {
    expect(
      await reported(
        parts(`${mta}${failed("other@example.net", "relayed", "2.0.0")}\r\n${failed("else@example.net")}`),
        REPORT,
      ),
    ).toBe("bounce");
  });

  test.each([
    [
      "qmail",
      "Hi. This is the qmail-send program at mx.example.net.\r\nI'm afraid I wasn't able to deliver " +
        "your message to the following addresses.\r\nThis is a permanent error; I've given up. Sorry it didn't " +
        "work out.\r\n\r\n<gone@example.net>:\r\n192.0.2.27 does not like recipient.\r\nRemote host said: 550 " +
        "5.1.1 no such user\r\nGiving up on 192.0.2.27.\r\n\r\n--- Below this line is a copy of the message.",
      [],
      2,
    ],
    [
      "Exim",
      "This message was created automatically by mail delivery software.\r\n\r\nA message that you " +
        "sent could not be delivered to one or more of its\r\nrecipients. This is a permanent error. The " +
        "following address(es) failed:\r\n\r\n  gone@example.net\r\n    Unrouteable address",
      ["X-Failed-Recipients: gone@example.net"],
      2,
    ],
    [
      "Exim with a full mailbox",
      "A message that you sent could not be delivered to one or more of its\r\nrecipients. The " +
        "following address(es) failed:\r\n\r\n  gone@example.net\r\n    452 4.2.2 mailbox is full",
      ["X-Failed-Recipients: gone@example.net"],
      1,
    ],
  ])("from %s counts", async (_name, body, more, counted) => {
    expect(await reported(body, "text/plain", more)).toBe("bounce");
    expect(await score()).toBe(counted);
  });

  test.each([
    [
      "delayed mail",
      "Warning: message has been delayed. No action is required; the delivery will be retried. The " +
        "delivery failed so far.",
    ],
    ["out-of-office reply", "I am away until Monday."],
  ])("does not count: %s", async (_name, body) => {
    expect(await reported(body, "text/plain", ["Auto-Submitted: auto-replied"])).toBe("automatic");
    expect(await score()).toBe(0);
  });
});
