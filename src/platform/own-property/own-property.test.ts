import { expect, test } from "vitest";
import { getOwn } from "./index.ts";

const COLOURS: Record<string, string> = { red: "#f00" };

test("entry of a table is found by its name", () => expect(getOwn(COLOURS, "red")).toBe("#f00"));

test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", ""])("table has nothing under %j", (name) => {
  expect(getOwn(COLOURS, name)).toBeUndefined();
});
