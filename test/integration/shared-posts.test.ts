import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { updateProfile } from "#community/accounts";
import {
  addBookmark,
  addReaction,
  deletePost,
  editPost,
  fetchLinkPreview,
  getDiscussion,
  getPostsPage,
  createSharedPostsCache,
} from "#community/discussions";
import { blockPerson } from "#community/friends";
import { setGroupRole } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createTestReply } from "../support/test-users.ts";
import { database, setupDiscussion, within } from "../support/discussions/discussion-setup.ts";
import { dropChangedValues } from "../support/discussions/shared-posts.ts";

const { db } = database;
let cache: ReturnType<typeof createSharedPostsCache>;
let at: Awaited<ReturnType<typeof setupDiscussion>>;
beforeEach(async () => {
  cache = createSharedPostsCache();
  at = await setupDiscussion();
  await createTestReply(database, at.tomas, at.discussion.id, {
    body: "After the ice saints.",
    replyTo: at.discussion.postId,
  });
  await read(at.mira);
});

const read = async (viewer: SignedIn) =>
  (await getPostsPage(db, viewer, await getDiscussion(db, viewer, at.discussion.id), { page: 1 }, cache))
    .posts;

describe("cached posts of a discussion", () => {
  test("are loaded only once for several readers", async () => {
    const discussion = await getDiscussion(db, at.noor, at.discussion.id);
    const query = vi.spyOn(pg.Client.prototype, "query");
    await getPostsPage(db, at.noor, discussion, { page: 1 }, cache);
    const sent = query.mock.calls.length;
    query.mockRestore();
    expect(sent).toBe(1);
    expect(cache.statistics).toMatchObject({ hits: 1, misses: 1 });
  });

  test("mark reactions and bookmarks separately for each reader", async () => {
    const { mira, noor, discussion } = at;
    await within((tx) => addReaction(tx, mira, { postId: discussion.postId, emoji: "🌱" }));
    await within((tx) => addBookmark(tx, mira, { postId: discussion.postId, note: "" }));
    const [own, others] = [(await read(mira))[0]!, (await read(noor))[0]!];
    expect([own.reactions[0]?.mine, own.bookmarked]).toEqual([true, true]);
    expect([others.reactions[0]?.mine, others.bookmarked]).toEqual([false, undefined]);
  });

  test("hide excerpts of a blocked person's post", async () => {
    const { noor, mira } = at;
    expect((await read(noor))[1]!.replyTo?.excerpt).not.toBe("");
    await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
    const [first, second] = await read(noor);
    expect([first!.stub, second!.replyTo?.excerpt]).toEqual(["blocked-by-viewer", ""]);
  });
});

/** As in another process that has not received the domain event yet, or receives none. */
describe("posts read with a stale cache", () => {
  test("contain a new reply", async () => {
    await createTestReply(database, at.mira, at.discussion.id, { body: "Too late for me." });
    expect((await read(at.noor)).map(({ html }) => html)[2]).toContain("Too late for me.");
  });

  test("show an edit, also in excerpts of the post in replies", async () => {
    await within((tx) =>
      editPost(tx, at.mira, { postId: at.discussion.postId, body: "Now it is warm.", version: 1 }),
    );
    const [first, second] = await read(at.noor);
    expect([first!.html, second!.replyTo?.excerpt]).toEqual([
      expect.stringContaining("Now it is warm."),
      "Now it is warm.",
    ]);
  });

  test("no longer contain a removed post or its excerpt", async () => {
    const before = (await read(at.noor))[1]!.replyTo!.excerpt;
    await within((tx) => deletePost(tx, at.tomas, { postId: at.discussion.postId, reason: "Off topic." }));
    const posts = await read(at.noor);
    expect([posts[0]!.stub, posts[1]!.replyTo?.excerpt]).toEqual(["removed", ""]);
    expect(JSON.stringify(posts)).not.toContain(before);
  });

  test("show a new reaction", async () => {
    await within((tx) => addReaction(tx, at.mira, { postId: at.discussion.postId, emoji: "🌱" }));
    expect((await read(at.noor))[0]!.reactions).toMatchObject([{ emoji: "🌱", count: 1, mine: false }]);
  });
});

describe("cached posts after a domain event", () => {
  beforeEach(() => dropChangedValues([cache]));

  test("show the author's new name", async () => {
    await within((tx) => updateProfile(tx, at.mira, at.mira.id, { name: "Mira Winter" }));
    expect((await read(at.noor))[0]!.author?.name).toBe("Mira Winter");
  });

  test("show the author's new role in the group", async () => {
    await within((tx) =>
      setGroupRole(tx, at.tomas, { groupId: at.group.id, personId: at.mira.id, role: "moderator" }),
    );
    expect((await read(at.noor))[0]!.author?.groupRole).toBe("moderator");
  });

  test("show a new link preview", async () => {
    const address = "https://example.org/beans";
    await createTestReply(database, at.mira, at.discussion.id, { body: address });
    expect((await read(at.noor))[2]!.cards).toBeUndefined();
    const page = async (url: string) => ({ url, html: "<html><head><title>Beans</title></head></html>" });
    await fetchLinkPreview(database, { page }, address);
    expect((await read(at.noor))[2]!.cards).toMatchObject([{ title: "Beans" }]);
  });
});
