import { describe, expect, test } from "vitest";
import type { EmailContent } from "#platform/mail";
import { renderEmailHtml } from "./email-template.tsx";

const content: EmailContent = {
  language: "en",
  community: "Kith & Co",
  subject: "<script>alert(1)</script>",
  preheader: "Mira answered",
  parts: [
    { kind: "sentence", text: "Hello <b>Ana</b>," },
    {
      kind: "heading",
      text: "When to sow beans",
      link: "https://kith.test/d?a=1&b=2",
      note: "The Long Beds",
    },
    { kind: "said", by: "Mira", at: "today", text: "One.\n\nTwo <img src=x>." },
  ],
  act: { button: "Read on", link: "https://kith.test/x?a=1&b=2" },
  footer: {
    lines: ["Because you follow it."],
    links: [{ words: "Settings", link: "https://kith.test/settings" }],
  },
};

describe("email HTML", () => {
  test("renders a whole page and escapes names and texts", async () => {
    const html = await renderEmailHtml(content);
    expect(html).toMatch(/^<!DOCTYPE html/);
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html).not.toMatch(/<script|<b>|<img/);
    expect(html).toContain("Hello &lt;b&gt;Ana&lt;/b&gt;,");
    expect(html).toContain('href="https://kith.test/x?a=1&amp;b=2"');
    expect(html).toContain("Because you follow it.");
    expect(html).toContain(">Settings</a>");
  });

  test("loads nothing external: no pictures, style sheets or fonts", async () => {
    expect(await renderEmailHtml(content)).not.toMatch(/<img|<link|url\(|@import|<[^>]*\ssrc=/);
  });

  test("supports dark mode and right-to-left languages", async () => {
    expect(await renderEmailHtml(content)).toContain("prefers-color-scheme:dark");
    const arabic = await renderEmailHtml({ ...content, language: "ar" });
    expect(arabic).toContain('<html lang="ar" dir="rtl">');
    expect(arabic).toContain("border-right:3px solid");
    expect(arabic).not.toContain("border-left");
  });

  test("marks titles and quotations in another language than the mail's", async () => {
    const parts: EmailContent["parts"] = [
      { kind: "heading", text: "Wer gießt?", language: "de" },
      { kind: "said", by: "Wer pflanzt?", title: true, at: "today", text: "Ich nicht.", language: "de" },
      { kind: "said", by: "Mira", at: "today", text: "Ich auch nicht.", language: "de" },
    ];
    const html = await renderEmailHtml({ ...content, parts });
    for (const text of ["Wer gießt?", "Wer pflanzt?", "Ich nicht.", "Ich auch nicht."])
      expect(html).toMatch(new RegExp(`lang="de"[^>]*>${text.replace("?", "\\?")}`));
    expect(html).not.toMatch(/lang="de"[^>]*>Mira/);
    expect(await renderEmailHtml({ ...content, parts, language: "de" })).not.toMatch(
      /<(h2|p|strong)[^>]* lang=/,
    );
  });

  test("has a hidden preview text for the inbox, padded so that no body text follows it there", async () => {
    expect(await renderEmailHtml(content)).toMatch(/display:none[^>]*>Mira answered(\u00a0|&nbsp;)\u200c/);
  });
});
