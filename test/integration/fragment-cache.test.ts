import { describe, expect, test } from "vitest";
import { editPost, addReaction } from "#community/discussions";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);

/** Two posts, and their HTML on the page of a viewer. */
async function talk() {
  database.clock.at = new Date();
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id, postId } = await createTestDiscussion(database, people.tomas, group.id);
  const answer = await createTestReply(database, people.mira, id, { replyTo: postId });
  const postsFor = async (viewer: Viewer, how: { query?: string; language?: string } = {}) => {
    const headers = { ...as(viewer), "accept-language": how.language ?? "en" };
    const { body } = await server.inject({ url: `/discussions/${id}${how.query ?? ""}`, headers });
    return [...body.matchAll(/<article id="post-.*?<\/article>/gs)].map(([text]) => text);
  };
  return { ...people, postId, answerId: answer.id, postsFor };
}

describe("cached post fragment", () => {
  test("keeps its text and adapts to each viewer's rights and language", async () => {
    const { tomas, mira, guest, postsFor } = await talk();
    for (const who of [tomas, mira, guest]) {
      const first = await postsFor(who);
      expect(first).toHaveLength(2);
      expect(await postsFor(who, { query: "?again" })).toEqual(first);
    }
    expect((await postsFor(mira))[0]).toContain("More for post 1");
    expect((await postsFor(guest))[0]).not.toContain("More for post 1");
    expect((await postsFor(guest, { language: "de" }))[0]).not.toEqual((await postsFor(guest))[0]);
  });

  test("renders again after a change, and where the address asks for something", async () => {
    const { tomas, mira, postId, answerId, postsFor } = await talk();
    const [before, other] = await postsFor(tomas);
    await within((tx) => addReaction(tx, mira, { postId, emoji: "🌱" }));
    const [liked, untouched] = await postsFor(tomas);
    expect(liked).toContain("🌱 1");
    expect(untouched).toEqual(other);
    expect((await postsFor(mira))[0]).toContain('aria-pressed="true"');
    await within((tx) => editPost(tx, tomas, { postId, body: "Sow them under glass.", version: 1 }));
    expect((await postsFor(tomas))[0]).toContain("Sow them under glass.");
    expect((await postsFor(tomas, { query: `?edit=${postId}` }))[0]).toContain("<textarea");
    expect((await postsFor(tomas, { query: `?more=${answerId}` }))[1]).toContain("menu-list");
    expect((await postsFor(tomas))[0]).not.toEqual(before);
  });
});
