import { expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { encodeCursor, readCursor } from "./index.ts";

const { db } = await testDatabase();

test("any cursor is read as a comparable value, or as the start of the list", async () => {
  const times = [
    0,
    1.5,
    -1,
    1_800_000_000_000,
    8.6e15,
    -62_135_596_800_000,
    -62_135_596_800_001,
    -210_866_803_200_001,
    -8.6e15,
    8.64e15,
    "now",
  ];
  const read = times.map((time) => readCursor(encodeCursor(time), ["time"])?.[0] ?? null);
  expect(read.map((time) => time !== null)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  for (const time of read) await one(db, sql`select ${time}::timestamptz < now()`);
});
