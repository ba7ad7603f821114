import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { createDamagedZip } from "../../../../../test/support/import-export/damaged-zip.ts";
import { formatMail, THREAD_POSTS } from "../../../../../test/support/import-export/mailing-list-mails.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "mbox");

const listPosts = async () => (await posts()).map(([title, number, , to, body]) => [title, number, to, body]);

const packed = (...mails: string[]) => gzipSync(mails.join(""));
const [january, february, april] = ["Fri, 4 Jan 2019", "Mon, 4 Feb 2019", "Thu, 4 Apr 2019"].map((day) => ({
  Date: `${day} 10:00:00 +0000`,
}));

test.each([
  ["2019-01.mbox", "2019-02.mbox", "2019-04.mbox", "archive"],
  ["garden/2019-January.txt.gz", "garden/2019-February.txt.gz", "garden/2019-April.txt.gz", "garden"],
  [
    "garden@x.org-2019-01-2019-02.mbox.gz",
    "garden@x.org-2019-02-2019-03.mbox.gz",
    "garden@x.org-2019-04-2019-05.mbox.gz",
    "garden",
  ],
  ["garden-2019-Jan.mbox", "garden-2019-Feb.mbox", "garden-2019-Apr.mbox", "garden"],
  ["garden-201901.mbox", "garden-201902", "garden-201904.txt", "garden"],
  ["Week-of-Mon-20190101.txt", "Week-of-Mon-20190204.txt", "Week-of-Mon-20190401.txt", "archive"],
])(
  "monthly archives of one list form one group with threads across archives: %s",
  async (first, second, third, name) => {
    const of = (file: string, text: string) => ({
      [/\.\w+$/.test(file) ? file : `${file}.mbox`]: file.endsWith(".gz") ? packed(text) : text,
    });
    await bring(
      await write({
        ...of(third, formatMail(3, "Re: When to sow?", { ...april, "In-Reply-To": "<2@x>" })),
        ...of(first, formatMail(1, "When to sow?", january)),
        ...of(second, formatMail(2, "Another subject", { ...february, References: "<1@x>" })),
      }),
    );
    expect(await listPosts()).toEqual(THREAD_POSTS.slice(0, 3));
    expect(await many(db, sql`select name from groups`)).toEqual([{ name }]);
  },
);

test("files named after several lists are imported as several groups", async () => {
  await bring(
    await write({
      "beans-2019-01.mbox": formatMail(1, "Beans"),
      "peas-2019-01.mbox": formatMail(1, "Peas"),
      "2020s.mbox": formatMail(2, "Any"),
    }),
  );
  expect(await many(db, sql`select name from groups order by name collate "C"`)).toEqual([
    { name: "2020s" },
    { name: "beans" },
    { name: "peas" },
  ]);
});

test("a truncated gzip file is imported up to its end; an uncompressed .gz file is read as text", async () => {
  const mails = Array.from({ length: 60 }, (_, i) =>
    formatMail(i + 10, `Of bean ${i}`, january, randomBytes(3_000).toString("hex")),
  );
  const run = await bring(
    await write({
      "a-2019-01.mbox.gz": packed(...mails).subarray(0, -60_000),
      "a-2019-02.mbox.gz": formatMail(1, "Not packed"),
      "a-2019-03.mbox": formatMail(2, "Whole"),
    }),
  );
  const titles = (await listPosts()).map(([title]) => title);
  const imported = ["Of bean 1", "Of bean 59", "Not packed", "Whole"].map((title) => titles.includes(title));
  expect(imported).toEqual([true, false, true, true]);
  expect(await remarks(run)).toEqual([
    expect.stringMatching(
      /^a-2019-01.mbox.gz: It is damaged or incomplete: skipped everything after its message \d+\.$/,
    ),
  ]);
});

test("a gzip bomb is skipped, and the other files are imported", async () => {
  const trap = gzipSync(formatMail(1, "A trap") + "0".repeat(30_000_000));
  const run = await bring(
    await write({ "a-2019-01.mbox.gz": trap, "a-2019-02.mbox.gz": packed(formatMail(2, "Whole")) }),
  );
  expect((await listPosts()).map(([title]) => title)).toEqual(["Whole"]);
  expect(await remarks(run)).toEqual([
    "a-2019-01.mbox.gz: Skipped: This archive contains a file that unpacks to more than 200 times its " +
      "size (a-2019-01.mbox.gz).",
  ]);
  await expect(bring(await write({ "a.mbox.gz": trap }))).rejects.toMatchObject({ reason: "invalid" });
});

test("an unreadable file is reported, and the other files are imported", async () => {
  const zip = await createDamagedZip(
    { "a.mbox": formatMail(1, "When to sow?"), "b.mbox": formatMail(2, "Whole") },
    ["a.mbox"],
  );
  const run = await bring(`${await write({ "lists.zip": zip })}/lists.zip`);
  expect((await listPosts()).map(([title]) => title)).toEqual(["Whole"]);
  expect(await remarks(run)).toEqual([
    "a.mbox: Skipped: a.mbox cannot be read: it is damaged: its checksum does not match.",
  ]);
});

test("concatenated gzip members are read as one file", async () => {
  const run = await bring(
    await write({
      "a-2019-01.mbox.gz": Buffer.concat([
        packed(formatMail(1, "Number one")),
        packed(formatMail(2, "Number two")),
      ]),
    }),
  );
  expect((await listPosts()).map(([title]) => title)).toEqual(["Number one", "Number two"]);
  expect(await remarks(run)).toEqual([]);
});
