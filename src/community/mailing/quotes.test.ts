import { describe, expect, test } from "vitest";
import { ownWords, wordsOfHtml } from "./quotes.ts";

describe("what somebody wrote themselves in an answer", () => {
  test.each([
    ["English", "Yes, in May.\n\nOn Mon, 4 May 2026 at 09:00, Tomas (Kith) <kith@example.org> wrote:\n> When?"],
    ["a line broken in two", "Yes, in May.\n\nOn Mon, 4 May 2026 at 09:00, Tomas (Kith)\n<kith@example.org> wrote:\n\n> When?"],
    ["German", "Yes, in May.\n\nAm Mo., 4. Mai 2026 um 09:00 Uhr schrieb Tomas <kith@example.org>:\n\n> When?"],
    ["French", "Yes, in May.\n\nLe lun. 4 mai 2026 à 09:00, Tomas <kith@example.org> a écrit :\n\n> When?"],
    ["Spanish", "Yes, in May.\n\nEl lun, 4 may 2026 a las 9:00, Tomas (<kith@example.org>) escribió:\n\n> When?"],
    ["Outlook", "Yes, in May.\n\n________________________________\nFrom: Tomas\nSent: Monday\nWhen?"],
    ["Outlook in German", "Yes, in May.\r\n\r\nVon: Tomas <kith@example.org>\r\nGesendet: Montag\r\nWhen?"],
    ["an original message", "Yes, in May.\n\n-----Original Message-----\nWhen?"],
    ["a signature", "Yes, in May.\n\n-- \nMira\nThe Long Beds"],
    ["a telephone", "Yes, in May.\n\nSent from my iPhone"],
    ["a telephone in German", "Yes, in May.\n\nVon meinem iPhone gesendet"],
    ["quoted lines at the end", "Yes, in May.\n\n> When?\n>\n> Tomas\n"],
    ["lines of Windows", "Yes, in May.\r\n\r\n> When?\r\n"],
  ])("stays, and the rest goes: %s", (_name, text) => expect(ownWords(text)).toBe("Yes, in May."));

  test("keeps what is quoted between its own lines, and its paragraphs", () => {
    expect(ownWords("> When?\n\nIn May.\n\n\n\n> Where?\n\nHere.\n\n> Tomas")).toBe("> When?\n\nIn May.\n\n> Where?\n\nHere.");
    expect(ownWords("On Monday I wrote a letter, and it was good.")).toBe("On Monday I wrote a letter, and it was good.");
  });

  test.each(["", "\n\n", "> only\n> quoted", "-- \nMira"])("may be nothing: %j", (text) => expect(ownWords(text)).toBe(""));

  test("is found in no time in a text made to be slow", () => {
    const began = performance.now();
    ownWords(`On ${" a".repeat(100_000)}\n`.repeat(3));
    ownWords("On \n".repeat(60_000));
    ownWords(">\n".repeat(100_000));
    ownWords(`كتب${" ".repeat(60_000)}x`);
    ownWords(`On ${"wrote".repeat(50)}${":".repeat(99)}${" ".repeat(100_000)}x`);
    wordsOfHtml("<div>".repeat(90_000));
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test("is read from HTML, too, where there is nothing else", () => {
    const html = `<html><head><style>p{}</style><title>x</title></head><body><p>Yes,<br>in &lt;May&gt;.</p><div>Bye</div>
      <div class="gmail_quote"><div>On Monday Tomas wrote:</div><blockquote>When?</blockquote></div><script>alert(1)</script></body></html>`;
    expect(ownWords(wordsOfHtml(html))).toBe("Yes,\nin <May>.\n\nBye");
  });
});
