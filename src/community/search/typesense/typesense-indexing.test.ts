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
  outside,
  people,
  searchWith,
  there,
  within,
} from "../../../../test/support/search/typesense-setup.ts";

describe("indexing into Typesense", () => {
  test("makes changes searchable a moment later and removes deleted documents at once", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await indexEverything();
    const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
    await outside.indexer.react({ type: "post.written", postId: reply.id });
    await outside.indexer.finish();
    const query: Query = { index: "posts", words: "holunder" };
    expect((await searchWith(outside, people.noor, query)).total).toBe(1);
    await within((tx) => deletePost(tx, people.mira, { postId: reply.id }));
    expect(there.documents().some(({ id }) => id === reply.id)).toBe(true);
    expect(await searchWith(outside, people.noor, query)).toMatchObject({ ids: [], total: 0 });
    await outside.indexer.react({ type: "post.deleted", postId: reply.id });
    await outside.indexer.finish();
    expect(there.documents().some(({ id }) => id === reply.id)).toBe(false);
  });

  test("keeps changes queued while Typesense is down, and searches use PostgreSQL", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await indexEverything();
    const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
    there.state.away = true;
    expect(
      (await searchWith(outside, people.noor, { index: "posts", words: INSIDE_WORD })).total,
    ).toBeGreaterThan(0);
    await outside.indexer.react({ type: "post.written", postId: reply.id });
    await expect(outside.indexer.finish()).rejects.toThrow("503");
    expect(await outside.indexer.waiting()).toBe(1);
    there.state.away = false;
    await outside.indexer.finish();
    expect(await outside.indexer.waiting()).toBe(0);
    expect((await searchWith(outside, people.noor, { index: "posts", words: "holunder" })).total).toBe(1);
  });

  test("rebuilds in one process at a time, and in another process after an abort", async () => {
    await createLeakCommunity(database, people, "public");
    await indexEverything();
    there.collections.clear();
    there.aliases.clear();
    const another = createSearch({ database, outside: there.address }).outside!;
    const go = new AbortController();
    await Promise.all([outside.outside!.fillIfEmpty(go.signal), another.fillIfEmpty(go.signal)]);
    expect([there.collections.size, there.documents().length > 0]).toEqual([1, true]);
    there.collections.clear();
    there.aliases.clear();
    await expect(outside.outside!.fillIfEmpty(AbortSignal.abort())).rejects.toThrow("aborted");
    expect(there.aliases.has("kith")).toBe(false);
    await another.fillIfEmpty(go.signal);
    expect([...there.collections.keys()]).toEqual([there.aliases.get("kith")]);
  });

  test("writes to both collections during a rebuild, then switches the alias", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await indexEverything();
    const before = there.aliases.get("kith")!;
    const count = there.documents().length;
    let written = 0;
    // Someone posts after each batch: what follows the posts index is written by regular indexing only.
    await outside.outside!.rebuild(async () => {
      const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
      await outside.indexer.react({ type: "post.written", postId: reply.id });
      await outside.indexer.finish();
      written += 1;
      expect((await searchWith(outside, people.noor, { index: "posts", words: "holunder" })).total).toBe(
        written,
      );
    });
    expect(written).toBe(INDICES.length);
    expect(there.aliases.get("kith")).not.toBe(before);
    expect([...there.collections.keys()]).toEqual([there.aliases.get("kith")]);
    expect((await searchWith(outside, people.noor, { index: "posts", words: "holunder" })).total).toBe(
      written,
    );
    expect(there.documents()).toHaveLength(count + written);
  });
});
