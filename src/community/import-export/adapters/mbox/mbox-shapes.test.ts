import sharp from "sharp";
import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks, count } = createAdapterSetup(database, "mbox");

const head = (n: number, subject: string, more = "") =>
  `From: kim at example.org (Kim)\nDate: Thu, 4 Mar 2004 1${n}:00:00 +0000\nSubject: ${subject}\n` +
  `Message-ID: <${n}@x>\n${more}`;
const listPosts = async () => (await posts()).map(([title, number, , , body]) => [title, number, body]);

test("an envelope line directly after text begins a mail only if a header follows it", async () => {
  const first = `From kim at example.org  Thu Mar  4 10:00:00 2004\n${head(1, "The plan")}\nHere it is.\n`;
  const envelope = "From lou at example.org  Thu Mar  4 11:00:00 2004\n";
  const second = `${envelope}${head(2, "The key")}\n${envelope}is a line.\n`;
  const run = await bring(await write({ "2004-March.txt": first + second }));
  expect(await listPosts()).toEqual([
    ["The plan", 1, "Here it is."],
    ["The key", 1, "From lou@…  Thu Mar  4 11:00:00 2004\nis a line."],
  ]);
  expect(await remarks(run)).toEqual([]);
});

test.each([
  ["of RFC 822 with a zone", "From kim@example.org Sat, 12 Jun 1999 02:55:14 -0400 (EDT)"],
  ["of RFC 822 without a weekday", "From kim@example.org 12 Jun 1999 02:55:14 +0200"],
  ["of ISO 8601", "From kim@example.org 1999-06-12 02:55:14"],
])("an envelope line with a date %s begins a mail", async (_, envelope) => {
  const text = [1, 2].map((n) => `${envelope}\n${head(n, `Subject ${n}`)}\nMail ${n}.\n\n`).join("");
  await bring(await write({ "garden.mbox": text }));
  expect(await listPosts()).toEqual([1, 2].map((n) => [`Subject ${n}`, 1, `Mail ${n}.`]));
});

test("a folder of single mails is one list, and envelope lines in their text begin no mail", async () => {
  const quoted = "\nSee:\n\nFrom kim@example.org Mon Mar  4 10:00:00 2019\nSubject: inner\n\nInner.";
  const run = await bring(
    await write({
      "garden/1.eml": head(1, "The plan") + quoted,
      "garden/2.eml": `From x Mon Mar  4 10:00:00 2019\n${head(2, "Re: The plan")}\nFine.`,
    }),
  );
  expect(await listPosts()).toEqual([
    ["The plan", 1, "See:\n\nFrom kim@… Mon Mar  4 10:00:00 2019\nSubject: inner\n\nInner."],
    ["The plan", 2, "Fine."],
  ]);
  expect([await remarks(run), await count("groups")]).toEqual([[], 1]);
});

test("a first mail without an envelope line is imported like the other mails", async () => {
  const run = await bring(
    await write({
      "a.mbox": `${head(1, "The plan")}\nHere.\n\nFrom x Mon Mar  4 10:00:00 2019\n${head(2, "The key")}\nThere.\n`,
    }),
  );
  expect((await listPosts()).map(([title]) => title)).toEqual(["The plan", "The key"]);
  expect(await remarks(run)).toEqual([]);
});

test("replies and forwards in any language join one thread; an ambiguous prefix stays in the title", async () => {
  const subjects = [
    "Beans",
    "RES: Beans",
    "VS: Beans",
    "R: Beans",
    "回复： Beans",
    "Re^2: [list] Beans",
    "[Fwd: Re: Beans]",
    "R: a language",
  ];
  const text = subjects
    .map((it, i) => `From x Mon Mar  4 10:00:00 2019\n${head(i, it)}\nMail ${i}.\n\n`)
    .join("");
  await bring(await write({ "a.mbox": text }));
  expect((await listPosts()).map(([title, number]) => [title, number])).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => ["Beans", number]),
    ["R: a language", 1],
  ]);
});

test("pictures of a mail appear in its post, other attachments are listed by name", async () => {
  const png = await sharp({
    create: {
      width: 300,
      height: 20,
      channels: 3,
      background: "red",
      noise: { type: "gaussian", mean: 90, sigma: 30 },
    },
  })
    .png()
    .toBuffer();
  const part = (type: string, name: string, bytes: Buffer) =>
    `--b\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\n` +
    `Content-Transfer-Encoding: base64\n\n${bytes.toString("base64")}\n`;
  const picture = part("application/octet-stream", "the bed.png", png);
  const plan = part("application/pdf", "plan.pdf", Buffer.from("%PDF"));
  const body = `--b\nContent-Type: text/plain\n\nThe bed.\n${picture}${plan}--b--\n`;
  const mixed = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n';
  const mail = `From x Mon Mar  4 10:00:00 2019\n${head(1, "The bed", mixed)}\n${body}`;
  const run = await bring(await write({ "a.mbox": mail }));
  expect(await remarks(run)).toEqual(["a.mbox message 1: Skipped: plan.pdf."]);
  const upload = await one(
    db,
    sql<{ id: string; mime: string }>`select id, mime from uploads where attached_kind = 'post'`,
  );
  const [post] = await many(
    db,
    sql<{ md: string; html: string }>`select body_md as md, body_html as html from posts`,
  );
  expect([upload.mime, post?.md]).toEqual(["image/webp", `The bed.\n\n![the bed.png](/files/${upload.id})`]);
  expect(post?.html).toContain(`<img src="/files/${upload.id}"`);
});

test("an address spelled with “at” in a text is masked like any other", async () => {
  const text = "Ask jo at example.org or b.ash at example.net, and look at example.com.";
  await bring(await write({ "a.mbox": `From x Mon Mar  4 10:00:00 2019\n${head(1, "Address")}\n${text}\n` }));
  expect((await listPosts()).map(([, , body]) => body)).toEqual([
    "Ask jo@… or b.ash@…, and look at example.com.",
  ]);
});

test("equal warnings are combined and name the first and last position", async () => {
  const mails = Array.from(
    { length: 30 },
    (_, i) =>
      `From x Mon Mar  4 10:00:00 2019\nSubject: Mail ${i}\nMessage-ID: <${i}@y>\nDate: rubbish\n\nHi\n\n`,
  );
  const run = await bring(
    await write({ "a.mbox": `From x Mon Mar  4 10:00:00 2019\n${head(1, "Start")}\n\n${mails.join("")}` }),
  );
  const warnings = await remarks(run);
  expect([warnings.length, run.problems]).toEqual([21, 21]);
  expect(warnings.at(-1)).toBe(
    "a.mbox message 22 to a.mbox message 31: 10 more such warnings: Its date cannot be read " +
      "and was set to that of the previous message.",
  );
});

test("plain text is shown exactly as it was written", async () => {
  const text =
    "__init__ and 2*3*4\n\nroot:x:0:0\n---\n[plan]: https://example.org/plan\n\n1986. was &lt; 1987";
  await bring(
    await write({ "a.mbox": `From x Mon Mar  4 10:00:00 2019\n${head(1, "Code of it")}\n${text}\n` }),
  );
  const { html } = await one(db, sql<{ html: string }>`select body_html as html from posts`);
  expect(html).toBe(
    "<p>__init__ and 2*3*4</p>\n<p>root:x:0:0<br />\n---<br />\n[plan]: " +
      '<a href="https://example.org/plan" rel="noopener nofollow ugc">https://example.org/plan</a></p>\n' +
      "<p>1986. was &amp;lt; 1987</p>\n",
  );
});
