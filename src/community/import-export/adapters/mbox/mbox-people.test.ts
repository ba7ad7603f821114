import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts } = createAdapterSetup(database, "mbox");

const mail = (n: number, head: Record<string, string>, body = "Here.") =>
  `From x Mon Mar  4 10:00:00 2019\n${Object.entries({
    "Message-ID": `<${n}@x>`,
    Date: `Mon, 4 Mar 2019 1${n}:00:00 +0100`,
    Subject: `Mail ${n}`,
    ...head,
  })
    .map(([key, value]) => `${key}: ${value}`)
    .join("\n")}\n\n${body}\n\n`;
const authors = async () => (await posts()).map(([, , by]) => by);
const addresses = async () =>
  (await many(db, sql<{ email: string }>`select email from imported_accounts order by 1`)).map(
    ({ email }) => email,
  );

test("mail sent by the list itself is attributed to its writer", async () => {
  const list = "<garden@lists.example.org>";
  await bring(
    await write({
      "garden.mbox": [
        mail(1, { From: `Kim Doe via Garden ${list}`, "Reply-To": "Kim Doe <kim@example.org>" }),
        mail(2, {
          From: `"'Noor' via Garden" ${list}`,
          "Reply-To": `Garden ${list}`,
          "X-Original-From": "=?utf-8?q?No=C3=B6r?= <noor@example.org>",
        }),
        mail(3, { From: `Lee via Garden ${list}`, "Reply-To": `Garden ${list}` }),
        mail(4, {
          From: `Sam via Garden <bounces@lists.example.org>`,
          "Reply-To": `Garden ${list}`,
          "List-Post": "<mailto:garden@lists.example.org>",
        }),
        mail(5, { From: "Kim Doe <kim@example.org>" }),
      ].join(""),
    }),
  );
  expect(await authors()).toEqual(["Kim Doe", "Noör", "Lee", "Sam", "Kim Doe"]);
  expect(await addresses()).toEqual(["kim@example.org", "noor@example.org"]);
});

test("an address spelled out in words is recognized and never shown as a name", async () => {
  await bring(
    await write({
      "2019-March.txt": [
        mail(
          1,
          { From: "zoe at example.org (=?iso-8859-1?q?Zo=EB?=)" },
          "On Monday, Kim <kim at example.org> wrote:\n> Look at example.org.\nYes.",
        ),
        mail(2, { From: '"kim at example.org" <kim@example.org>' }),
        mail(3, { From: "Zoë <zoe at example.org>" }),
      ].join(""),
    }),
  );
  expect(await authors()).toEqual(["Zoë", "kim@…", "Zoë"]);
  expect((await posts())[0]![4]).toBe("On Monday, Kim <kim@…> wrote:\n> Look at example.org.\n\nYes.");
  expect(await addresses()).toEqual(["kim@example.org", "zoe@example.org"]);
});

test("an encoded list name is decoded", async () => {
  await bring(
    await write({
      "a.mbox": mail(1, {
        From: "kim@example.org",
        "List-Id": "=?utf-8?q?G=C3=A4rten?= <garden.example.org>",
      }),
    }),
  );
  expect(await one(db, sql`select name from groups`)).toEqual({ name: "Gärten" });
});
