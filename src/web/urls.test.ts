import { expect, test } from "vitest";
import { paths } from "#community/common";
import { urls } from "./urls.ts";

test("links in stored texts use the same addresses as the pages", () => {
  expect(paths.person("an-id")).toBe(urls.person("an-id"));
  expect(paths.group("an-id")).toBe(urls.group("an-id"));
  expect(paths.file("an-id")).toBe(urls.file("an-id"));
  expect(paths.discussion("an-id")).toBe(urls.discussion("an-id"));
  expect(paths.event("an-id")).toBe(urls.event("an-id"));
  expect(paths.post("an-id")).toBe(urls.post("an-id"));
  expect(paths.message("an-id", 7)).toBe(urls.conversation("an-id", { at: 7, message: 7 }));
  expect(paths.resource("an-id")).toBe(urls.resource("an-id"));
  expect(paths.resource("an-id", 7)).toBe(urls.resource("an-id", { post: 7 }));
});
