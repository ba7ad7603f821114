import { createHash } from "node:crypto";
import { notFound } from "#platform/refusal";
import type { RequestContext } from "../request-context.ts";

export type FeedEntry = {
  /** A UUID, so that the entry's id stays the same when the entry moves. */
  id: string;
  title: string;
  /** Null for the feed's language. */
  language?: string | null;
  to: string;
  published: Date;
  updated: Date;
  author: { name: string; to: string | null } | null;
  html: string | null;
};
export type AtomFeed = {
  /** An address that stays the same, such as `urn:uuid:…`. */
  id: string;
  title: string;
  self: string;
  to: string;
  language: string | null;
  begun: Date;
  entries: FeedEntry[];
};

/** Rate limit per client address, since feed readers poll repeatedly. */
const FEED_LIMIT = { points: 60, seconds: 60 };

/**
 * Feeds always show what guests may read, even to members.
 * @throws `not-found` in a private community, `too-many`
 */
export async function assertFeedAccess(ctx: RequestContext): Promise<void> {
  const { app } = ctx;
  await countFeedRequest(ctx);
  if ((await app.settings.get()).audience === "private") throw notFound();
}

/** @throws `too-many` */
export const countFeedRequest = ({ app, from }: RequestContext) =>
  app.limits.take("feeds", FEED_LIMIT, from.address);

/** Returns the feed (RFC 4287), or 304 if the client has the current version. */
export function atomResponse({ app }: RequestContext, request: Request, feed: AtomFeed): Response {
  const updated = new Date(Math.max(feed.begun.getTime(), ...feed.entries.map((it) => it.updated.getTime())));
  const xml = renderFeed(feed, updated, app.origin());
  const etag = `"${createHash("sha256").update(xml).digest("base64url").slice(0, 24)}"`;
  const headers = { etag, "last-modified": updated.toUTCString(), "cache-control": "public, max-age=300" };
  const known = request.headers.get("if-none-match")?.replace(/^W\//, "");
  if (known === etag) return new Response(null, { status: 304, headers });
  return new Response(xml, {
    headers: { ...headers, "content-type": "application/atom+xml; charset=utf-8" },
  });
}

function renderFeed(
  { id, title, self, to, language, entries }: AtomFeed,
  updated: Date,
  origin: string,
): string {
  const head = `<id>${escapeXml(id)}</id><title>${escapeXml(title)}</title><updated>${updated.toISOString()}</updated>`;
  const links =
    `<link rel="self" type="application/atom+xml" href="${escapeXml(origin + self)}"/><link ` +
    `rel="alternate" type="text/html" href="${escapeXml(origin + to)}"/>`;
  const all = entries.map((entry) => renderEntry(entry, origin)).join("\n");
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed ` +
    `xmlns="http://www.w3.org/2005/Atom"${languageAttribute(language)}>${head}${links}\n${all}\n</feed>\n`
  );
}

const languageAttribute = (language?: string | null) =>
  language ? ` xml:lang="${escapeXml(language)}"` : "";

function renderEntry(
  { id, title, language, to, published, updated, author, html }: FeedEntry,
  origin: string,
): string {
  const times = `<published>${published.toISOString()}</published><updated>${updated.toISOString()}</updated>`;
  // Atom requires an author for each entry.
  const by = author
    ? `<name>${escapeXml(author.name)}</name>` +
      (author.to === null ? "" : `<uri>${escapeXml(origin + author.to)}</uri>`)
    : "<name>—</name>";
  const body =
    html === null ? "" : `<content type="html">${escapeXml(makeLinksAbsolute(html, origin))}</content>`;
  return (
    `<entry${languageAttribute(language)}><id>urn:uuid:${id}</id><title>${escapeXml(title)}</title><link rel="alternate" ` +
    `type="text/html" href="${escapeXml(origin + to)}"/>${times}<author>${by}</author>${body}</entry>`
  );
}

/**
 * Makes links and picture addresses absolute. In stored HTML, text contains no raw quotation marks, so the
 * pattern matches attributes only.
 */
const makeLinksAbsolute = (html: string, origin: string) =>
  html.replace(/ (href|src)="\/(?!\/)/g, ` $1="${origin}/`);

/** XML does not allow most control characters, even escaped. */
export const escapeXml = (text: string) =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- the pattern removes characters that XML does not allow
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
