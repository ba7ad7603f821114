import { readdir } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import {
  formatMail,
  THREAD_MAILS,
  THREAD_POSTS,
} from "../../../../../test/support/import-export/mailing-list-mails.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts } = createAdapterSetup(database, "mbox");

const { TZ, TMPDIR } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ TZ, TMPDIR })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
const listPosts = async () => (await posts()).map(([title, number, , to, body]) => [title, number, to, body]);

test.each([
  ["from the newest to the oldest", [4, 3, 2, 1, 0]],
  ["in no order", [2, 4, 0, 3, 1]],
])("a list stored %s is imported in the order in which it was written", async (_, order) => {
  const waiting = await write({ nothing: "" });
  process.env["TMPDIR"] = waiting;
  await bring(await write({ "garden.mbox": order.map((i) => THREAD_MAILS[i]).join("") }));
  expect(await listPosts()).toEqual(THREAD_POSTS);
  expect(await one(db, sql`select min(created_at) as at from groups`)).toEqual({
    at: new Date("2019-03-04T11:00:00Z"),
  });
  expect((await readdir(waiting)).filter((it) => it.startsWith("kith-mbox-"))).toEqual([]);
});

test("an answer stored before its question is placed after it; other mails keep their order", async () => {
  const talk = Array.from({ length: 12 }, (_, i) =>
    formatMail(i + 20, "Of beans", {
      Date: `Tue, 5 Mar 2019 10:${i + 10}:00 +0000`,
      ...(i > 0 && { "In-Reply-To": "<20@x>" }),
    }),
  );
  const wrong = formatMail(
    40,
    "Re: Of beans",
    { "In-Reply-To": "<20@x>", Date: "Fri, 4 Jan 1980 10:00:00 +0000" },
    "With an old clock.",
  );
  const early = formatMail(
    41,
    "Re: Of peas",
    { "In-Reply-To": "<42@x>", Date: "Wed, 6 Mar 2019 10:00:00 +0000" },
    "An answer.",
  );
  const peas = formatMail(42, "Of peas", { Date: "Wed, 6 Mar 2019 10:00:00 +0000" }, "A question.");
  await bring(await write({ "garden.mbox": [...talk, wrong, early, peas].join("") }));
  expect((await listPosts()).slice(-3)).toEqual([
    ["Of beans", 13, 1, "With an old clock."],
    ["Of peas", 1, null, "A question."],
    ["Of peas", 2, 1, "An answer."],
  ]);
});

test("mails that reply to each other in a circle are each imported once", async () => {
  await bring(
    await write({
      "a.mbox":
        formatMail(1, "Hen", { "In-Reply-To": "<2@x>" }) + formatMail(2, "Egg", { "In-Reply-To": "<1@x>" }),
    }),
  );
  expect((await listPosts()).map(([, number, , body]) => [number, body]).sort()).toEqual([
    [1, "Mail 2."],
    [2, "Mail 1."],
  ]);
});

test("the replied-to mail is found in any reference header", async () => {
  await bring(
    await write({
      "a.mbox": [
        formatMail(1, "When to sow?"),
        formatMail(2, "Another subject", {
          "In-Reply-To": 'Message from Kim <kim@example.org> of "Mon, 4 Mar 2019" <1@x>',
        }),
        formatMail(3, "A third", { "In-Reply-To": "<2@x> (Kim's message of Monday)" }),
        formatMail(4, "A fourth", { References: "<1@x><2@x>" }),
      ].join(""),
    }),
  );
  expect(await listPosts()).toEqual([
    ["When to sow?", 1, null, "Mail 1."],
    ["When to sow?", 2, 1, "Mail 2."],
    ["When to sow?", 3, 2, "Mail 3."],
    ["When to sow?", 4, 2, "Mail 4."],
  ]);
});

test("a reply with only a subject joins the latest thread of that subject", async () => {
  await bring(
    await write({
      "a.mbox":
        formatMail(1, "Weekly meeting") +
        formatMail(2, "Weekly meeting") +
        formatMail(3, "Re: Weekly meeting") +
        formatMail(4, "Re: Weekly meeting"),
    }),
  );
  expect((await listPosts()).map(([, number, , body]) => [number, body])).toEqual([
    [1, "Mail 1."],
    [1, "Mail 2."],
    [2, "Mail 3."],
    [3, "Mail 4."],
  ]);
});

test("a quotation in flowed format keeps its line breaks", async () => {
  const flowed = (encoding: string) => ({
    "Content-Type": "text/plain; charset=utf-8; format=flowed",
    "Content-Transfer-Encoding": encoding,
  });
  await bring(
    await write({
      "a.mbox":
        formatMail(
          1,
          "Plain",
          flowed("8bit"),
          "> Sow where it is \n> dry à \n> \n>> And \n>> deep.\n\nI sow where \nit is wet.",
        ) + formatMail(2, "Quoted", flowed("quoted-printable"), "> Sow where it is=20\n> dry.\n\nYes."),
    }),
  );
  expect((await listPosts()).map(([, , , body]) => body)).toEqual([
    "> Sow where it is\n> dry à\n>\n>> And\n>> deep.\n\nI sow where it is wet.",
    "> Sow where it is\n> dry.\n\nYes.",
  ]);
});

test("mails whose ids differ only near the end stay separate", async () => {
  const long = (end: string) => ({ "Message-ID": `<${"i".repeat(300)}${end}@x>` });
  await bring(
    await write({
      "a.mbox": formatMail(1, "When to sow?", long("1")) + formatMail(2, "And when to reap?", long("2")),
    }),
  );
  expect((await listPosts()).map(([title]) => title)).toEqual(["When to sow?", "And when to reap?"]);
});
