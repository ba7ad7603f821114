import { expect, test } from "vitest";
import { addressOf } from "#community/common";
import { urls } from "./urls.ts";

test("links in texts match the addresses of their pages", () => {
  expect(addressOf.person("an-id")).toBe(urls.person("an-id"));
  expect(addressOf.group("an-id")).toBe(urls.group("an-id"));
  expect(addressOf.file("an-id")).toBe(urls.file("an-id"));
  expect(addressOf.discussion("an-id")).toBe(urls.discussion("an-id"));
  expect(addressOf.post("an-id")).toBe(urls.post("an-id"));
  expect(addressOf.message("an-id", 7)).toBe(urls.conversation("an-id", { at: 7, message: 7 }));
  expect(addressOf.resource("an-id")).toBe(urls.resource("an-id"));
  expect(addressOf.resource("an-id", 7)).toBe(urls.resource("an-id", { post: 7 }));
});
