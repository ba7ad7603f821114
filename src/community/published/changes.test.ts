import { expect, test } from "vitest";
import { changesIn } from "./changes.ts";

test("a vote changes its post for who follows it, and does not say whose it was", () => {
  const place = { discussionId: "d", groupId: "g" };
  expect(changesIn({ type: "poll.voted", postId: "p", by: "somebody", ...place })).toEqual([
    { table: "Posts", event: "updated", ids: { objectId: "p", ...place } },
  ]);
});
