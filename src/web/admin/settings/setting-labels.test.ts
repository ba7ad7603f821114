import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SETTING_KEYS } from "#community/settings";
import { parseSetting } from "./parse-setting.ts";

test("every site setting has exactly one label on the page", () => {
  const files = ["setting-labels.ts", "api-setting-labels.ts"];
  const source = files.map((file) => readFileSync(`src/web/admin/settings/${file}`, "utf8")).join("\n");
  const worded = [...source.matchAll(/\bkey: "(\w+)"/g)].map((match) => match[1]);
  expect(worded.toSorted()).toEqual(SETTING_KEYS.toSorted());
});

test("submitted values are converted to the type of the setting", () => {
  expect(parseSetting("name", " Garden\r\n")).toBe(" Garden\n");
  expect(parseSetting("confirmAddress", "on")).toBe(true);
  expect(parseSetting("confirmAddress", null)).toBe(false);
  expect(parseSetting("accountsPerAddress", "7")).toBe(7);
  expect(parseSetting("accountsPerAddress", "")).toBeNaN();
});
