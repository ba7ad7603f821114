import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { toSmtpMessage } from "./smtp-message.ts";

test("an invitation has its calendar part beside text and HTML, with the method in its type", async () => {
  const calendar = { method: "request", text: "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR" };
  const letter = { language: "en", community: "Kith", subject: "Evening", parts: [], act: null, calendar };
  const message = toSmtpMessage(
    {
      id: "1",
      to: "mira@example.org",
      subject: "Evening",
      text: "An evening.",
      letter,
      html: "",
      kind: "notice",
      headers: {},
      bodyId: null,
      name: "1",
    },
    {
      from: "Kith <kith@kith.test>",
      own: { address: "kith@kith.test", host: "kith.test" },
      replyBox: null,
      html: "<p>An evening.</p>",
      body: null,
    },
  );
  const { message: raw } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  expect(String(raw)).toMatch(/content-type: multipart\/alternative/i);
  expect(String(raw)).toMatch(/content-type: text\/calendar; charset=utf-8; method=REQUEST/i);
  const { text, html, attachments } = await PostalMime.parse(raw as Buffer);
  expect([text?.trim(), html?.trim()]).toEqual(["An evening.", "<p>An evening.</p>"]);
  expect(attachments.map(({ mimeType }) => mimeType)).toEqual(["text/calendar", "application/ics"]);
});
