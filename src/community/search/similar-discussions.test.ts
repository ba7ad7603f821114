import { expect, test } from "vitest";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { listSimilarDiscussions } from "./index.ts";

const database = await testDatabase();
const { db } = database;

test("similar discussions have a similar title and can be read by the viewer", async () => {
  const people = await createTestUsers(database);
  const { mira, noor, guest } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  for (const title of [
    "Watering rota for July",
    "Watering in the rain",
    "Cake on Sunday",
    "Who has the watering rota?",
  ])
    await createTestDiscussion(database, mira, group.id, { title });
  const titles = async (title: string) =>
    (await listSimilarDiscussions(db, mira, title)).map((it) => it.title);
  expect(await titles("Watering rota for the summer")).toEqual([
    "Who has the watering rota?",
    "Watering rota for July",
    "Watering in the rain",
  ]);
  expect(await titles("Watering cake sunday again tomorrow together")).toEqual(["Cake on Sunday"]);
  for (const nothing of ["", "a b c", "%%%% ' & | !", "zzzz"]) expect(await titles(nothing)).toEqual([]);
  expect(await listSimilarDiscussions(db, noor, "Watering rota")).toEqual([]);
  expect(await listSimilarDiscussions(db, guest, "Watering rota")).toEqual([]);
});
