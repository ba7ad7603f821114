import { describe, expect, test } from "vitest";
import { isCopyable } from "./page-copy.ts";

const ID = "0197a2b0-0000-7000-8000-000000000001";

describe("offline copies", () => {
  test.each([
    "/",
    "/groups",
    "/groups/long-beds",
    `/discussions/${ID}`,
    `/resources/${ID}`,
    `/resources/collections/${ID}`,
    `/users/${ID}`,
    "/rules",
  ])("include %s", (path) => expect(isCopyable(path)).toBe(true));

  test.each([
    "/messages",
    `/conversations/${ID}`,
    "/notifications",
    "/drafts",
    `/users/settings/${ID}`,
    `/users/settings/${ID}/security`,
    "/admin/settings",
    `/admin/groups/${ID}`,
    "/moderation",
    `/moderation/${ID}`,
    "/reports",
    "/login",
    "/resetPassword",
    "/invite/secret",
    "/unsubscribe/secret",
    "/search",
    "/groups/desk",
    "/groups/new",
    "/groups/long-beds/manage",
    "/groups/long-beds/new",
    `/discussions/${ID}/manage`,
    `/posts/${ID}/history`,
    "/dev/mail",
  ])("do not include %s", (path) => expect(isCopyable(path)).toBe(false));
});
