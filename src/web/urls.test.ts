import { expect, test } from "vitest";
import { addressOf } from "#community/common";
import { urls } from "./urls.ts";

test("what texts link to is where the pages are", () => {
  expect(addressOf.person("an-id")).toBe(urls.person("an-id"));
  expect(addressOf.group("an-id")).toBe(urls.group("an-id"));
  expect(addressOf.file("an-id")).toBe(urls.file("an-id"));
});
