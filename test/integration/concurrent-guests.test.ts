import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Many guests on a page that was not rendered since it changed. */
const database = await testDatabase();
const { server } = await serveBuiltPages(database);

let people: TestUsers;
let discussionId = "";
beforeEach(async () => {
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "public" });
  ({ id: discussionId } = await createTestDiscussion(database, people.mira, group.id));
  await ask("/about");
});

const ask = (url: string) => server.inject({ url, headers: { host: "kith.test", accept: "text/html" } });

/** Number of database queries until all guests have their response. */
async function asking(url: string, guests: number) {
  const querySpy = vi.spyOn(pg.Client.prototype, "query");
  try {
    const answers = await Promise.all(Array.from({ length: guests }, () => ask(url)));
    return { questions: querySpy.mock.calls.length, answers };
  } finally {
    querySpy.mockRestore();
  }
}

describe("concurrent guests", () => {
  test("share one rendering of a page", async () => {
    // The posts that all readers share are loaded once.
    await ask(`/discussions/${discussionId}?page=1&n=0`);
    const one = await asking(`/discussions/${discussionId}?page=1&n=1`, 1);
    const { questions, answers } = await asking(`/discussions/${discussionId}?page=1&n=2`, 20);
    expect(questions).toBe(one.questions);
    for (const { statusCode, body } of answers) expect([statusCode, body]).toEqual([200, answers[0]!.body]);
    expect(answers[0]!.body).toContain(`/discussions/${discussionId}`);
  });

  test("all get 404 for a missing page", async () => {
    const { answers } = await asking("/discussions/nowhere", 5);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
  });
});
