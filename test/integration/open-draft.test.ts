import { beforeEach, expect, test } from "vitest";
import { draftTargets, saveDraft } from "#community/discussions";
import { type TestUsers, createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;

beforeEach(async () => {
  people = await createTestUsers(database);
});

const now = async (headers: Record<string, string>, at: string = draftTargets.newConversation) => {
  const { statusCode, body } = await server.inject({
    url: `/drafts/now?place=${encodeURIComponent(at)}`,
    headers,
  });
  return {
    status: statusCode,
    draft: statusCode === 200 ? (JSON.parse(body) as { body: string } | null) : null,
  };
};

test("an opened form shows its writer's draft, and no one else's", async () => {
  const { mira, tomas } = people;
  expect(await now(as(mira))).toEqual({ status: 200, draft: null });
  const { draft } = await database.inTransaction((tx) =>
    saveDraft(tx, mira, {
      place: draftTargets.newConversation,
      version: 0,
      title: "",
      body: "Dear neighbours",
    }),
  );
  expect(await now(as(mira))).toEqual({
    status: 200,
    draft: expect.objectContaining({ body: "Dear neighbours", version: draft.version }),
  });
  expect(await now(as(tomas))).toEqual({ status: 200, draft: null });
  expect(await now({})).toEqual({ status: 401, draft: null });
});

test("an invalid target has no draft", async () => {
  const { mira } = people;
  for (const at of ["", "new:", "x".repeat(5_000), "\0", "discussion:not-an-id"])
    expect([at.slice(0, 20), await now(as(mira), at)]).toEqual([
      at.slice(0, 20),
      { status: 200, draft: null },
    ]);
});
