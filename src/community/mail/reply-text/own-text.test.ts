import { describe, expect, test } from "vitest";
import { measureCpu } from "../../../../test/support/cpu-time.ts";
import { extractReply } from "./own-text.ts";

const textOf = (text: string) => extractReply(text, "plain", { code: null }).text;
const whole = (text: string) => text.replace(/\\(?=[^\p{L}\p{N}\s])/gu, "");

describe("text that is not the author's own", () => {
  test.each([
    [
      "attribution in one line",
      "On Mon, 4 May 2026 at 09:00, Tomas (Kith) <kith@example.org> wrote:\n> When?",
    ],
    [
      "attribution over two lines",
      "On Mon, 4 May 2026 at 09:00, Tomas (Kith)\n<kith@example.org> wrote:\n\n> When?",
    ],
    [
      "attribution over three lines",
      "On Fri, Nov 6, 2026 at 12:32 PM Somebody with a long name <\nreply+abc@example.org>\nwrote:\n\n> When?",
    ],
    [
      "attribution with the name before the verb",
      "Lindenhof <a@example.org> schrieb am Fr., 6. Nov.\n2026 um 11:53 Uhr:\n\n> Wann?",
    ],
    [
      "ISO date with its zone",
      "2026-02-05 13:29 GMT+02:00 A long name <\nreply+abc@example.org>:\n\n> When?",
    ],
    ["attribution without a colon", "2026/10/2 Tomas <a@example.org>\n\n> When?"],
    ["attribution by a mail program", "Den 15. jun. 2026 kl. 20.42 skrev Tomas <a@example.org>:\n\n> Når?"],
    [
      "attribution without quote signs",
      "Am Mo., 4. Mai 2026 um 09:00 Uhr schrieb Tomas <kith@example.org>:\n\nWann?\n\nTomas",
    ],
    ["quoted header of Outlook", "________________________________\nFrom: Tomas\nSent: Monday\nWhen?"],
    ["quoted header with an address", "Von: Tomas <kith@example.org>\r\nGesendet: Montag\r\nWhen?"],
    [
      "quoted header in asterisks",
      "*From:* Tomas [mailto:a@example.org]\n*Sent:* Monday\n*To:* Mira\n*Subject:* Beans\n\nWhen?",
    ],
    [
      "quoted header with the address on the next line",
      "From: Lindenhof Commons\n<a-very-long-address@example.org>\nSent: Monday 4:37 PM\nTo: Mira\nSubject: x\n\nWhen?",
    ],
    [
      "quoted header of QQ",
      '------------------ 原始邮件 ------------------\n发件人: "Lindenhof" <a@example.org>;\n发送时间: ' +
        '2026年11月6日(星期五) 13:30\n收件人: "Mira"<m@example.org>;\n主题: Beans\n\n何时',
    ],
    ["original message without a header", "-----Original Message-----\nWhen?"],
    [
      "forwarding marker",
      "---------- Forwarded message ---------\nFrom: Tomas <a@example.org>\nDate: Mon, 4 May " +
        "2026\nSubject: Beans\n\nWhen?",
    ],
    ["signature", "-- \nMira\nThe Long Beds"],
    ["signature without a space after the hyphens", "--\nMira\nThe Long Beds"],
    ["signature of a phone", "Sent from my iPhone"],
    ["signature of a phone in German", "Von meinem iPhone gesendet"],
    ["newer signature of a phone in German", "Gesendet von meinem iPhone"],
    ["signature of a phone in French", "Envoyé de mon iPhone"],
    ["signature of a phone in Spanish", "Enviado desde mi iPhone"],
    ["signature of a phone in Arabic", "أُرسلت من الـ iPhone"],
    ["Outlook on a phone", "Get Outlook for iOS<https://aka.ms/o0ukef>"],
    ["Outlook on a phone in German", "Gesendet von Outlook für Android<https://aka.ms/AAb9ysg>"],
    ["Outlook on a phone in French", "Télécharger Outlook pour Android<https://aka.ms/ghei36>"],
    [
      "signature of a phone and a quotation",
      "Sent from my iPhone\n\n> On 4 May 2026, at 09:00, Tomas <a@example.org> wrote:\n>\n> When?",
    ],
    ["signature and signature of a phone", "-- \nMira\n\nSent from my iPhone"],
    ["quoted lines at the end", "> When?\n>\n> Tomas\n"],
    ["quoted lines and a signature below", "> When?\n>\n-- \nMira"],
  ])("gets removed: %s", (_name, rest) => {
    expect(textOf(`Yes, in May.\n\n${rest}`)).toBe("Yes, in May.");
    expect(textOf(`Yes, in May.\r\n\r\n${rest.replace(/\r?\n/g, "\r\n")}`)).toBe("Yes, in May.");
  });

  test("does not include own text right above an attribution", () => {
    expect(textOf("Hi all,\nIn May.\nOn 6 Nov 2026, at 13:30, Tomas <a@example.org> wrote:\n> When?")).toBe(
      "Hi all,\nIn May.",
    );
  });

  test.each(["", "\n\n", "> only\n> quoted", "-- \nMira"])("includes all of %j", (text) =>
    expect(textOf(text)).toBe(""),
  );
});

describe("own lines that only look like quotations, headers or signatures", () => {
  test.each([
    [
      "header names in sentences",
      "Two buses go there.\nFrom: the market square\nTo: the garden gate\nBoth leave at nine.",
    ],
    ["German header name in a sentence", "Von: der Haltestelle\nist es nicht weit."],
    ["line of underscores", "First the beans.\n________________________________\nThen the peas."],
    ["horizontal rule between paragraphs", "First.\n\n----------\n\nThen."],
    ["two hyphens, several times", "First the beans.\n--\nThen the peas.\n--\nThen the rest."],
    ["two hyphens before a sentence", "First the beans.\n\n--\n\nThen we rest."],
    ["sentence that ends in “wrote:”", "On the wall somebody wrote:\nno beans before May."],
    [
      "German sentence with “wrote”",
      "Am Montag schrieb mir die Gärtnerei:\nwir liefern erst im Juni.\nWas tun?",
    ],
    ["date and a colon", "On 6 November 2026 the council wrote:\nwe agree."],
    ["address and a colon", "Write to anna@example.org:\nshe has the key."],
    ["Arabic word that resembles “wrote”", "عندي للمكتبة عدة كتب\nسأحضرها يوم الجمعة.\nهل من أحد يساعد؟"],
    ["sent from an aunt", "Sent from my aunt: two jars of jam.\nWho wants them?"],
    ["sent from an aunt, at the end", "Two jars of jam.\nSent from my aunt, with love"],
    ["signature of a phone in the middle", "Sent from my iPhone\nThat line is in every mail of mine."],
    [
      "list of dates and times",
      "Choose one:\n\n2026-01-15 14:30:25\n15.01.2026 14:30\nJan 15, 2026 at 14:30\n\nAll are free.",
    ],
    ["sentences that begin with On", "On the surface it is easy.\n\nOn the other hand, it is not."],
    ["lines that begin with From", "From the market square it is ten minutes.\nFrom the station it is five."],
    ["line that begins with Subject", "Subject: the beans\nI think we are late."],
  ])("stay in the text: %s", (_name, text) => {
    expect(whole(textOf(text))).toBe(text);
    expect(extractReply(text, "plain", { code: null }).leftOut).toBe("");
    const followed = `${text}\n\nOn Fri, 6 Nov 2026 at 13:30, Tomas <a@example.org> wrote:\n> When?`;
    expect(whole(textOf(followed))).toBe(text);
  });
});

describe("own text below and between quoted lines", () => {
  test("stays together with the quotation that it answers", () => {
    expect(textOf("> When?\nIn May.\n\n\n\n> Where?\n\nHere.\n\n> Tomas")).toBe(
      "> When?\n\nIn May.\n\n> Where?\n\nHere.",
    );
    expect(textOf("Am 06.11.26 um 13:30 schrieb Lindenhof:\n> Wann?\n>\n> Tomas\n\nIm Mai.")).toBe(
      "> Wann?\n>\n> Tomas\n\nIm Mai.",
    );
    expect(textOf("Hi,\n\nOn Fri, 6 Nov 2026 at 13:30, Lindenhof wrote:\n> When?\n\nIn May.")).toBe(
      "Hi,\n\n> When?\n\nIn May.",
    );
  });

  test("stays below nested quotations as well", () => {
    expect(textOf("> > When?\n> Tomas asks.\nIn May.")).toBe("> > When?\n>\n> Tomas asks.\n\nIn May.");
  });

  test("stays after a known unmarked quotation, and is reported as left out after an unknown quotation", () => {
    const head = "From: Tomas <a@example.org>\nSent: Friday\nTo: Mira\nSubject: Beans";
    const known = (line: string) => /When|sow|beans/.test(line);
    const reply = extractReply(`Yes.\n\n${head}\n\nSomething else entirely.\nIn May.`, "plain", {
      code: null,
      isKnown: known,
    });
    expect(reply).toMatchObject({ text: "Yes.", leftOut: "Something else entirely.\nIn May." });
    const between = extractReply(
      `Yes.\n\n${head}\n\nWhen do we sow the beans this year?\n\nIn May.`,
      "plain",
      {
        code: null,
        isKnown: known,
      },
    );
    expect(between).toMatchObject({ text: "Yes.\n\nIn May.", leftOut: "" });
  });
});

describe("the marker of our mail", () => {
  const code = "kith0123456789ab";
  const line = `Write above this line · ${code}`;
  const mail = [line, "", "Hello Mira,", "", "When do we sow the beans?"];
  const mark = (text: string) => extractReply(text, "plain", { code, community: "Lindenhof" }).text;

  test.each([
    ["quoted", mail.map((it) => `> ${it}`).join("\n")],
    ["quoted twice", mail.map((it) => `>> ${it}`).join("\n")],
    ["not quoted", mail.join("\n")],
    [
      "below an attribution in an unknown language",
      `Ku 6 Nov 2026 13:30 Lindenhof <a@example.org> ayaa qoray:\n\n${mail.join("\n")}`,
    ],
    [
      "below a quoted header in an unknown language",
      `Ka: Lindenhof <a@example.org>\nTaariikh: 6 Nov 2026\nKu: Mira\nMawduuc: x\n\n${mail.join("\n")}`,
    ],
    [
      "below the name of the site, as converted from HTML",
      `On 6.11.2026 a@example.org ha detto:\n\nAnswered you.\u00a0\u200c\u00a0\u200c\n\n  ` +
        `Lindenhof\n\n${mail.join("\n")}`,
    ],
    ["translated, with its line broken", `Écrivez au-dessus de cette\nligne · kith01234567\n89AB\n\nBonjour`],
    ["in a table", `| ${line} |\n|---|\n${mail.slice(2).join("\n")}`],
  ])("gets recognized %s", (_name, quoted) => expect(mark(`In May.\n\n${quoted}`)).toBe("In May."));

  test("does not remove own text below the quotation", () => {
    expect(
      mark(`${mail.map((it) => `> ${it}`).join("\n")}\n> https://kith.test/unsubscribe/x\n\nIn May.`),
    ).toBe("In May.");
    expect(mark(`${mail.map((it) => `> ${it}`).join("\n")}\nIn May.\n> Tomas`)).toBe(
      "> When do we sow the beans?\n\nIn May.",
    );
  });

  test("has no effect in a reply to another mail", () => {
    expect(mark("The line kithffffffffffff stands in all mails.\nWhy?")).toBe(
      "The line kithffffffffffff stands in all mails.\nWhy?",
    );
  });
});

test("texts made to be slow are processed quickly", async () => {
  const slow = [
    `On ${" a".repeat(100_000)}\n`.repeat(3),
    "On \n".repeat(60_000),
    ">\n".repeat(100_000),
    `كتب${" ".repeat(60_000)}x`,
    `On ${"wrote".repeat(50)}${":".repeat(99)}${" ".repeat(100_000)}x`,
    "a@b.c 6.11.2026 13:30\n".repeat(9_000),
    "From: a\n".repeat(25_000),
    "________\n".repeat(20_000),
    "*a ".repeat(60_000),
    "_a[".repeat(60_000),
    "```a\n".repeat(40_000),
    "-- \n".repeat(50_000),
    "\n".repeat(200_000),
    `${" ".repeat(199_000)}x`,
    "Sent from my iPhone\n".repeat(10_000),
    "1. a\n".repeat(40_000),
  ];
  const cost = await measureCpu(() => {
    for (const text of slow)
      extractReply(text, "plain", { code: "kith0123456789ab", community: "x", isKnown: () => false });
  });
  expect(cost).toBeLessThan(20_000);
});
