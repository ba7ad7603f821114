import { describe, expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { listMailbox } from "#platform/mail";
import { processInboundMail } from "../inbound-mail.ts";
import { db, discussionId, app, createRawMail } from "../../../../test/support/mail/inbound-setup.ts";
import { HTML_REPLY_SAMPLES } from "../../../../test/support/mail/html-reply-samples.ts";
import { PLAIN_REPLY_SAMPLES } from "../../../../test/support/mail/plain-reply-samples.ts";

const bare = (text: string) => text.replace(/\s+/g, " ").trim();

function withoutQuotes(html: string): string {
  const left = html.replace(/<blockquote>(?:(?!<blockquote>)[\s\S])*?<\/blockquote>/g, " ");
  return left === html ? html : withoutQuotes(left);
}

describe("reply from a real mail client", () => {
  const shapes = [...PLAIN_REPLY_SAMPLES, ...HTML_REPLY_SAMPLES];

  test("has 64 samples", () => expect(new Set(shapes.map(({ name }) => name)).size).toBe(64));

  test.each(shapes)("keeps only the author's own text: $name", async ({ type, body, own, keepsQuotes }) => {
    expect(
      await processInboundMail(
        app,
        createRawMail(body.replaceAll("\n", "\r\n"), { type: `text/${type}; charset=utf-8` }),
      ),
    ).toBe("posted");
    const { html } = await one(
      db,
      sql<{
        html: string;
      }>`select body_html as html from posts where discussion_id = ${discussionId} order by number desc
        limit 1`,
    );
    expect(bare(createExcerpt(withoutQuotes(html), 5_000))).toBe(bare(own));
    if (!keepsQuotes) expect(html).not.toContain("<blockquote");
    for (const { text } of await listMailbox(db)) expect(text).not.toContain(own);
  });
});
