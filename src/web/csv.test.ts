import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { csvResponse } from "./csv.ts";

async function* each(rows: string[][]) {
  yield* rows;
}

const sent = async (header: string[], rows: string[][]) =>
  Buffer.from(await csvResponse("beds", header, each(rows)).arrayBuffer()).toString("utf8");
const readBack = (text: string): string[][] => parse(text, { bom: true });

describe("CSV file", () => {
  test("parses back unchanged with any characters", async () => {
    const rows = [
      ["Leek", 'said "now", twice', "two\nlines", ""],
      ["Grünkohl", " 11 ", "a;b\tc", "ends\r\n"],
      ["🌱", "1,5", "'quoted'", "-"],
    ];
    const text = await sent(["Plant", "Weeks", "Note", "Rest"], rows);
    expect(readBack(text)).toEqual([
      ["Plant", "Weeks", "Note", "Rest"],
      ...rows.slice(0, 2),
      ["🌱", "1,5", "'quoted'", "'-"],
    ]);
    expect(text.startsWith("\uFEFFPlant,Weeks,Note,Rest\r\n")).toBe(true);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "\n+1", "＝1", "\u00a0@x"])(
    "neutralizes formula %j",
    async (words) => {
      expect(readBack(await sent(["Words"], [[words]]))).toEqual([["Words"], [`'${words}`]]);
    },
  );

  test("keeps all rows of a large table", async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => [`Row ${n}`, "x".repeat(20)]);
    expect(readBack(await sent(["Row", "Much"], rows))).toHaveLength(5_001);
  });

  test("sets content type and file name", () => {
    const { headers } = csvResponse("requests-beds", ["Plant"], each([]));
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="requests-beds.csv"');
  });
});
