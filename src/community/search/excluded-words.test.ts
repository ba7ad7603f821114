import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup } from "../../../test/support/test-users.ts";
import { searchPosts, database, indexEverything, people } from "../../../test/support/search/engine-setup.ts";
import { createPostgresEngine } from "./postgres/postgres-engine.ts";
import { Vocabulary } from "./text/vocabulary.ts";

/** Simulates a community in which every word is very frequent. */
class Crowded extends Vocabulary {
  override frequency = () => 1_000_000;
}
const crowded = createPostgresEngine({ reading: database.db, vocabulary: new Crowded() });

/** The most liked of the three documents about kale also mentions soup. */
async function kale() {
  const group = await createTestGroup(database, people);
  const about = async (title: string, body: string) =>
    (await createTestDiscussion(database, people.mira, group.id, { title, body })).postId;
  const [soup, salad, beans] = [
    await about("Kale for winter", "It goes into the soup."),
    await about("Kale again", "As a salad."),
    await about("Beans", "With kale and bread."),
  ];
  await indexEverything();
  await run(database.db, sql`update search_documents set score = 10000 where id = ${soup}`);
  return { soup, salad, beans };
}
const ids = ({ hits }: Awaited<ReturnType<typeof searchPosts>>) =>
  hits.map(({ document }) => document.objectID).toSorted();

describe("an excluded word", () => {
  test("appears in no hit, even among very many hits", async () => {
    const { salad } = await kale();
    const query = { index: "posts", words: "kale", without: ["soup"], length: 1 } as const;
    expect(ids(await crowded.search(people.mira, query))).toEqual([salad]);
    expect(
      ids(await crowded.search(people.mira, { ...query, without: [], phrases: ["kale again"] })),
    ).toEqual([salad]);
  });

  test("as the only search word finds all documents without it", async () => {
    const { salad, beans } = await kale();
    expect(ids(await searchPosts(people.mira, "", { index: "posts", without: ["soup"] }))).toEqual(
      [salad, beans].toSorted(),
    );
    expect(ids(await searchPosts(people.mira, "", { index: "posts", without: ["kale"] }))).toEqual([]);
    expect(ids(await crowded.search(people.mira, { index: "posts", words: "", without: ["soup"] }))).toEqual(
      [salad, beans].toSorted(),
    );
    expect((await searchPosts(people.mira, "", { index: "posts", without: ["…"] })).total).toBe(3);
  });
});
