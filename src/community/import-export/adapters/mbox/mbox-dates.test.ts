import { afterEach, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { formatMail } from "../../../../../test/support/import-export/mailing-list-mails.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, remarks } = createAdapterSetup(database, "mbox");

const { TZ, TMPDIR } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ TZ, TMPDIR })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test("a date without a known zone is read as UTC, whatever the server's time zone", async () => {
  process.env["TZ"] = "America/New_York";
  await bring(
    await write({
      "a.mbox": [
        "Mon Mar  4 11:00:00 2019",
        "4 Mar 2019 12:00",
        "Mon, 4 Mar 2019 13:00:00 XYZT",
        "Mon, 4 Mar 2019 14:00:00 -0500 (EST)",
      ]
        .map((Date, i) => formatMail(i + 1, `Mail ${i}`, { Date }))
        .join(""),
    }),
  );
  expect(
    (await many(db, sql<{ at: Date }>`select created_at as at from posts order by 1`)).map(({ at }) =>
      at.getUTCHours(),
    ),
  ).toEqual([11, 12, 13, 19]);
});

test("a future date is ignored", async () => {
  const run = await bring(
    await write({
      "a.mbox":
        formatMail(1, "Of now") +
        formatMail(2, "Of then", { Date: "Tue, 19 Jan 2038 03:14:07 +0000" }) +
        formatMail(3, "Of now too"),
    }),
  );
  expect(
    (await many(db, sql<{ at: Date }>`select created_at as at from posts order by 1`)).map(({ at }) =>
      at.getUTCHours(),
    ),
  ).toEqual([11, 11, 13]);
  expect(await remarks(run)).toEqual([
    "a.mbox message 2: Its date cannot be read and was set to that of the previous message.",
  ]);
});

test("mails without a date get the date of the first dated mail, or else of the import", async () => {
  const run = await bring(
    await write({
      "a.mbox":
        formatMail(1, "One", { Date: "" }) + formatMail(2, "Two", { Date: "soon" }) + formatMail(3, "Three"),
      "b.mbox": formatMail(4, "Four", { Date: "?" }),
    }),
  );
  const at = await many(db, sql<{ at: Date }>`select p.created_at as at from posts p order by 1`);
  expect(at.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ({ at: new Date("2019-03-04T13:00:00Z") })));
  expect(Math.abs(at[3]!.at.getTime() - run.createdAt.getTime())).toBeLessThan(1_000);
  const warning = "Its date cannot be read and was set to";
  expect(await remarks(run)).toEqual([
    ...[1, 2].map((n) => `a.mbox message ${n}: ${warning} the date of the first message with one.`),
    `b.mbox message 1: ${warning} the time of the import.`,
  ]);
});
