import { describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { run, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import { createTestDiscussion, setMembership, createPerson } from "../../../../test/support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import { INSIDE_WORD, GROUP_NAME } from "../../../../test/support/leak-matrix/marker-words.ts";
import { type Filter, type Query } from "../index.ts";
import {
  database,
  INDICES,
  indexEverything,
  typesenseSearch,
  postgresSearch,
  people,
  searchWith,
  typesenseServer,
  within,
} from "../../../../test/support/search/typesense-setup.ts";

const SAID = [{ words: "" }, { words: INSIDE_WORD.slice(0, 6) }, { words: GROUP_NAME }];
const FILTERS: Filter[] = [
  { facet: "tags", value: INSIDE_WORD.toUpperCase() },
  { not: { facet: "tags", value: INSIDE_WORD } },
  {
    not: {
      and: [
        { facet: "is", value: "opening" },
        {
          or: [
            { facet: "has", value: "poll" },
            { number: "likes", is: ">", to: 0 },
          ],
        },
      ],
    },
  },
  { number: "number", is: "<", to: 2.5 },
  { not: { number: "number", is: ">=", to: 2 } },
  {
    and: [
      { number: "createdAt", is: ">", to: 0 },
      { facet: "isPublic", value: "true" },
    ],
  },
  { or: [] },
  { and: [] },
  { not: { facet: "price", value: "1" } },
  { facet: "kind", value: "a` || open:=true && (" },
];

const CONDITIONS = FILTERS.map((filter) => ({ words: "", filter }));

describe("Typesense engine", () => {
  test.each(["public", "private", "secret"] as const)(
    "finds and counts the same hits as PostgreSQL for every viewer of a %s group",
    async (visibility) => {
      const at = await createLeakCommunity(database, people, visibility);
      const viewers = await standing(at);
      await indexEverything();
      for (const [name, viewer] of Object.entries(viewers))
        for (const index of INDICES)
          for (const more of [
            ...SAID,
            ...(visibility === "public" && ["guest", "mira"].includes(name) ? CONDITIONS : []),
          ]) {
            const query = { index, ...more };
            expect([name, query, await searchWith(typesenseSearch, viewer, query)]).toEqual([
              name,
              query,
              await searchWith(postgresSearch, viewer, query),
            ]);
          }
      expect(typesenseServer.state.asked.length).toBeGreaterThan(100);
    },
  );

  /**
   * A viewer for every possible status, including newcomers of a group that hides earlier content and people
   * with a block.
   */
  async function standing(at: LeakCommunity): Promise<Record<string, Viewer>> {
    const [banned, invited, newcomer, blocked] = await within(async (tx) => {
      const four = [
        await createPerson(tx, "banned"),
        await createPerson(tx, "invited"),
        await createPerson(tx, "newcomer"),
        await createPerson(tx, "blocked"),
      ] as const;
      await setMembership(tx, at.groupId, four[0], "banned");
      await setMembership(tx, at.groupId, four[1], "invited");
      await setMembership(tx, at.groupId, four[3], "member");
      await blockPerson(tx, people.mira, { personId: four[3].id });
      await run(tx, sql`update groups set history_policy = 'from_joining' where id = ${at.groupId}`);
      return four;
    });
    database.clock.pass(60_000);
    await within((tx) => setMembership(tx, at.groupId, newcomer, "member"));
    database.clock.pass(60_000);
    await createTestDiscussion(database, people.mira, at.groupId, {
      title: `${INSIDE_WORD} since then`,
      body: INSIDE_WORD,
    });
    const { guest, mira, tomas, ines, ada, noor } = people;
    return { guest, mira, tomas, ines, ada, noor, banned, invited, newcomer, blocked };
  }

  test("contains no profiles or messages", async () => {
    await createLeakCommunity(database, people, "public");
    await indexEverything();
    expect(new Set(typesenseServer.documents().map((it) => it["index"]))).toEqual(new Set(INDICES));
    expect(JSON.stringify(typesenseServer.documents())).not.toMatch(/flaschenpost/i);
    for (const index of ["people", "messages", "all"] as const) {
      const query: Query = { index, words: index === "people" ? "mira" : "flaschenpost" };
      expect(await searchWith(typesenseSearch, people.mira, query)).toEqual(
        await searchWith(postgresSearch, people.mira, query),
      );
    }
  });
});
