import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { listMailbox } from "#platform/mail";
import { processInboundMail } from "./inbound-mail.ts";
import { deleteExpiredReplyAddresses } from "./reply-addresses.ts";
import {
  db,
  clock,
  within,
  app,
  box,
  createRawMail,
  listPosts,
} from "../../../test/support/mail/inbound-setup.ts";

describe("automatic mail", () => {
  test.each([
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (vacation)",
    "Precedence: bulk",
    "List-Id: <x.example.net>",
    "Return-Path: <>",
    "X-Autoreply: yes",
    "X-Autorespond: Re: Beans",
    "X-Failed-Recipients: gone@example.net",
    "Precedence: auto_reply",
  ])("gets neither posted nor answered if it has the header %s", async (line) => {
    expect(await processInboundMail(app, createRawMail("I am away.", { more: [line] }))).toBe("automatic");
    expect(await listPosts()).toEqual([]);
    expect(await listMailbox(db)).toEqual([]);
  });

  test.each([
    [
      "delivery report",
      'multipart/report; report-type=delivery-status; boundary="x"',
      "message/delivery-status",
      "Action: failed",
    ],
    [
      "read receipt",
      'multipart/report; report-type=disposition-notification; boundary="x"',
      "message/disposition-notification",
      "Disposition: displayed",
    ],
    [
      "read receipt in an ordinary mail",
      'multipart/mixed; boundary="x"',
      "message/disposition-notification",
      "Disposition: displayed",
    ],
  ])("gets neither posted nor answered: %s", async (_name, type, part, field) => {
    const body = [
      "--x",
      "Content-Type: text/plain",
      "",
      "Your mail was read.",
      "--x",
      `Content-Type: ${part}`,
      "",
      field,
      "--x--",
    ];
    expect(await processInboundMail(app, createRawMail(body.join("\r\n"), { type }))).toBe("automatic");
    expect(await listPosts()).toEqual([]);
    expect(await listMailbox(db)).toEqual([]);
  });

  test("to an unknown, invented or expired address is ignored", async () => {
    for (const to of [
      "reply@kith.test",
      "reply+abc@kith.test",
      "reply+@kith.test",
      box.replace("kith.test", "evil.test"),
      "",
      "reply+back-xyz@kith.test",
    ])
      expect(await processInboundMail(app, createRawMail("Hello.", { to }))).toBe("nobody");
    clock.pass(400 * DAY);
    await within(deleteExpiredReplyAddresses);
    expect(await processInboundMail(app, createRawMail("Hello."))).toBe("nobody");
    expect(await processInboundMail({ ...app, replyBox: null }, createRawMail("Hello."))).toBe("nobody");
    expect(await listMailbox(db)).toEqual([]);
  });

  test.each([
    Buffer.alloc(0),
    Buffer.alloc(100_000),
    Buffer.from("\r\n\r\n"),
    Buffer.from(`To: ${"a".repeat(3_000_000)}`),
  ])("ignores input that is no mail", async (raw) => {
    expect(["nobody", "unreadable"]).toContain(await processInboundMail(app, raw));
  });
});
