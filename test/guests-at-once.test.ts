import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { aDiscussion, aGroup, cast, type Cast } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/** Many guests at a page that nobody has asked for since it changed. */
const database = await testDatabase();
const { server } = await servedPages(database);

let people: Cast;
let discussionId = "";
beforeEach(async () => {
  people = await cast(database);
  const group = await aGroup(database, people, { visibility: "public" });
  ({ id: discussionId } = await aDiscussion(database, people.mira, group.id));
  await ask("/about");
});

const ask = (url: string) => server.inject({ url, headers: { host: "kith.test", accept: "text/html" } });

/** How many questions were asked of the database until all had their answer. */
async function asking(url: string, guests: number) {
  const asked = vi.spyOn(pg.Client.prototype, "query");
  try {
    const answers = await Promise.all(Array.from({ length: guests }, () => ask(url)));
    return { questions: asked.mock.calls.length, answers };
  } finally {
    asked.mockRestore();
  }
}

describe("guests who come at once", () => {
  test("have a page made once for all of them", async () => {
    const one = await asking(`/discussions/${discussionId}?page=1&n=1`, 1);
    const { questions, answers } = await asking(`/discussions/${discussionId}?page=1&n=2`, 20);
    expect(questions).toBe(one.questions);
    for (const { statusCode, body } of answers) expect([statusCode, body]).toEqual([200, answers[0]!.body]);
    expect(answers[0]!.body).toContain(`/discussions/${discussionId}`);
  });

  test("and find that there is none, are each told so", async () => {
    const { answers } = await asking("/discussions/nowhere", 5);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
  });
});
