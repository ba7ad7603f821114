import { expect, test } from "vitest";
import { cacheTagsFor } from "./cache-tags.ts";

test.each(["post.hidden", "post.unhidden", "post.removed", "post.restored"])(
  "%s drops cached pages of events",
  (type) => {
    const event = { type, discussionId: "d", groupId: "g", postId: "p", number: 1, by: null };
    expect(cacheTagsFor(event)).toContain("events");
    expect(cacheTagsFor({ ...event, type: "post.written" })).not.toContain("events");
  },
);
