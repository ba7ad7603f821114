import { describe, expect, test } from "vitest";
import { deletePost } from "#community/discussions";
import { createTestReply } from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import { INSIDE_WORD } from "../../../../test/support/leak-matrix/marker-words.ts";
import { createSearch, type Query } from "../index.ts";
import {
  database,
  INDICES,
  indexEverything,
  typesenseSearch,
  people,
  searchWith,
  typesenseServer,
  within,
} from "../../../../test/support/search/typesense-setup.ts";

describe("indexing into Typesense", () => {
  test("makes changes searchable a moment later and removes deleted documents at once", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await indexEverything();
    const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
    await typesenseSearch.indexer.react({ type: "post.written", postId: reply.id });
    await typesenseSearch.indexer.finish();
    const query: Query = { index: "posts", words: "holunder" };
    expect((await searchWith(typesenseSearch, people.noor, query)).total).toBe(1);
    await within((tx) => deletePost(tx, people.mira, { postId: reply.id }));
    expect(typesenseServer.documents().some(({ id }) => id === reply.id)).toBe(true);
    expect(await searchWith(typesenseSearch, people.noor, query)).toMatchObject({ ids: [], total: 0 });
    await typesenseSearch.indexer.react({ type: "post.deleted", postId: reply.id });
    await typesenseSearch.indexer.finish();
    expect(typesenseServer.documents().some(({ id }) => id === reply.id)).toBe(false);
  });

  test("keeps changes queued while Typesense is down, and searches use PostgreSQL", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await indexEverything();
    const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
    typesenseServer.state.away = true;
    expect(
      (await searchWith(typesenseSearch, people.noor, { index: "posts", words: INSIDE_WORD })).total,
    ).toBeGreaterThan(0);
    await typesenseSearch.indexer.react({ type: "post.written", postId: reply.id });
    await expect(typesenseSearch.indexer.finish()).rejects.toThrow("503");
    expect(await typesenseSearch.indexer.waiting()).toBe(1);
    typesenseServer.state.away = false;
    await typesenseSearch.indexer.finish();
    expect(await typesenseSearch.indexer.waiting()).toBe(0);
    expect(
      (await searchWith(typesenseSearch, people.noor, { index: "posts", words: "holunder" })).total,
    ).toBe(1);
  });

  test("rebuilds in one process at a time, and in another process after an abort", async () => {
    await createLeakCommunity(database, people, "public");
    await indexEverything();
    typesenseServer.collections.clear();
    typesenseServer.aliases.clear();
    const another = createSearch({ database, outside: typesenseServer.address }).outside!;
    const go = new AbortController();
    await Promise.all([typesenseSearch.outside!.fillIfEmpty(go.signal), another.fillIfEmpty(go.signal)]);
    expect([typesenseServer.collections.size, typesenseServer.documents().length > 0]).toEqual([1, true]);
    typesenseServer.collections.clear();
    typesenseServer.aliases.clear();
    await expect(typesenseSearch.outside!.fillIfEmpty(AbortSignal.abort())).rejects.toThrow("aborted");
    expect(typesenseServer.aliases.has("kith")).toBe(false);
    await another.fillIfEmpty(go.signal);
    expect([...typesenseServer.collections.keys()]).toEqual([typesenseServer.aliases.get("kith")]);
  });

  test("writes to both collections during a rebuild, then switches the alias", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await indexEverything();
    const before = typesenseServer.aliases.get("kith")!;
    const count = typesenseServer.documents().length;
    let posts = 0;
    // Someone posts after each batch. Posts that are written after the rebuild has copied all posts are added
    // by regular indexing only.
    await typesenseSearch.outside!.rebuild(async () => {
      const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
      await typesenseSearch.indexer.react({ type: "post.written", postId: reply.id });
      await typesenseSearch.indexer.finish();
      posts += 1;
      expect(
        (await searchWith(typesenseSearch, people.noor, { index: "posts", words: "holunder" })).total,
      ).toBe(posts);
    });
    expect(posts).toBe(INDICES.length);
    expect(typesenseServer.aliases.get("kith")).not.toBe(before);
    expect([...typesenseServer.collections.keys()]).toEqual([typesenseServer.aliases.get("kith")]);
    expect(
      (await searchWith(typesenseSearch, people.noor, { index: "posts", words: "holunder" })).total,
    ).toBe(posts);
    expect(typesenseServer.documents()).toHaveLength(count + posts);
  });
});
