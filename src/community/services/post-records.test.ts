import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { matchingRefusal, createRecordSetup } from "../../../test/support/services/record-setup.ts";

const database = await testDatabase();
const { create, change, remove, getRow, setupGroup } = createRecordSetup(database);

describe("saving a record", () => {
  test("creates or edits a post, and removing the record deletes the post", async () => {
    const { mira, noor, tomas, discussion } = await setupGroup();
    const id = await create(mira, "Posts", {
      discussionId: discussion.id,
      text: "After the ice saints.",
      replyTo: discussion.postId,
      number: 77,
    });
    const post = await getRow(mira, "Posts", id);
    expect(post).toMatchObject({
      number: 2,
      text: "After the ice saints.",
      replyTo: discussion.postId,
      ownerId: mira.id,
    });
    await change(mira, "Posts", id, { ...post, text: "Not before May." });
    expect(await getRow(mira, "Posts", id)).toMatchObject({ text: "Not before May.", version: 2 });
    await expect(change(mira, "Posts", id, { ...post, text: "Too late." })).rejects.toMatchObject(
      matchingRefusal("conflict"),
    );
    await expect(change(mira, "Posts", id, { number: 9 })).rejects.toMatchObject(
      matchingRefusal("not-allowed", /number/),
    );
    await expect(change(tomas, "Posts", id, { text: "Mine now." })).rejects.toMatchObject(
      matchingRefusal("invalid", /Enter a reason/),
    );
    await change(tomas, "Posts", id, { text: "Not before June.", reason: "It froze." });
    await expect(
      create(noor, "Posts", { discussionId: discussion.id, text: "Me too." }),
    ).rejects.toMatchObject(matchingRefusal("not-allowed", /Join/));
    await expect(create(mira, "Posts", { discussionId: discussion.id })).rejects.toMatchObject(
      matchingRefusal("invalid", /Write something first/),
    );
    await expect(create(mira, "Posts", { discussionId: "nothing", text: "?" })).rejects.toMatchObject(
      matchingRefusal("invalid"),
    );
    await expect(remove(noor, "Posts", id)).rejects.toMatchObject(matchingRefusal("not-allowed"));
    await remove(mira, "Posts", id);
    expect(await getRow(mira, "Posts", id)).toMatchObject({ text: null, stub: "deleted" });
  });

  test("starts a discussion, and changed columns run moderator commands", async () => {
    const { mira, tomas, noor, groupId } = await setupGroup();
    const id = await create(mira, "Discussions", {
      groupId,
      title: "What to sow",
      text: "Now.",
      tags: ["beds"],
    });
    expect(await getRow(mira, "Discussions", id)).toMatchObject({
      title: "What to sow",
      tags: ["beds"],
      replies: 0,
    });
    await change(mira, "Discussions", id, { title: "What to sow now", resolved: true });
    await expect(change(noor, "Discussions", id, { tags: ["mine"] })).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await expect(change(mira, "Discussions", id, { tags: ["x".repeat(21)] })).rejects.toMatchObject(
      matchingRefusal("invalid", /20 characters/),
    );
    await change(mira, "Discussions", id, { tags: ["beds", "Water"] });
    expect(await getRow(mira, "Discussions", id)).toMatchObject({
      title: "What to sow now",
      tags: ["beds", "water"],
    });
    await expect(
      change(mira, "Discussions", id, { locked: true, lockedReason: "Done." }),
    ).rejects.toMatchObject(matchingRefusal("not-allowed"));
    await change(tomas, "Discussions", id, { locked: true, lockedReason: "Done.", pinned: true });
    expect(await getRow(mira, "Discussions", id)).toMatchObject({
      locked: true,
      lockedReason: "Done.",
      pinned: true,
      resolved: true,
      title: "What to sow now",
    });
    await change(tomas, "Discussions", id, { locked: false, pinned: false, resolved: false });
    expect(await getRow(mira, "Discussions", id)).toMatchObject({
      locked: false,
      lockedReason: null,
      pinned: false,
      resolved: false,
    });
    await change(tomas, "Discussions", id, { state: "archived", reason: "Over." });
    await change(tomas, "Discussions", id, { state: "open" });
    await expect(change(tomas, "Discussions", id, { state: "deleted" })).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await expect(remove(tomas, "Discussions", id)).rejects.toMatchObject(
      matchingRefusal("not-allowed", /reason/),
    );
  });

  test("edits a comment for its author or a moderator of its group", async () => {
    const { mira, tomas, noor, groupId } = await setupGroup();
    const link = await create(mira, "Resources", {
      kind: "link",
      title: "Beans",
      url: "https://example.org/beans",
      groupId,
    });
    const id = await create(mira, "Comments", { resourceId: link, text: "Good." });
    const comment = await getRow(mira, "Comments", id);
    expect(comment).toMatchObject({ text: "Good.", version: 1, ownerId: mira.id });
    await change(mira, "Comments", id, { ...comment, text: "Very good." });
    expect(await getRow(noor, "Comments", id)).toMatchObject({ text: "Very good.", version: 2 });
    await expect(change(mira, "Comments", id, { ...comment, text: "Late." })).rejects.toMatchObject(
      matchingRefusal("conflict"),
    );
    await expect(change(noor, "Comments", id, { text: "Mine now." })).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await expect(change(tomas, "Comments", id, { text: "Fine." })).rejects.toMatchObject(
      matchingRefusal("invalid", /Enter a reason/),
    );
    await change(tomas, "Comments", id, { text: "Fine.", reason: "A name was in it." });
    await expect(change(mira, "Comments", id, { number: 9 })).rejects.toMatchObject(
      matchingRefusal("not-allowed", /number/),
    );
    await expect(change(mira, "Comments", id, { text: "x".repeat(10_001) })).rejects.toMatchObject(
      matchingRefusal("invalid"),
    );
    await expect(remove(noor, "Comments", id)).rejects.toMatchObject(matchingRefusal("not-allowed"));
    await remove(mira, "Comments", id);
    expect(await getRow(noor, "Comments", id)).toMatchObject({ text: null, stub: "deleted" });
    const other = await create(mira, "Comments", { resourceId: link, text: "Again." });
    await remove(tomas, "Comments", other);
    expect(await getRow(mira, "Comments", other)).toMatchObject({ stub: "removed" });
  });
});
