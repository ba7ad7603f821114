import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import {
  discoursePost,
  TOPIC_SEVEN,
  discourseTopic,
} from "../../../../../test/support/import-export/discourse-export.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "discourse");

describe("import of a Discourse forum", () => {
  const CLOSED = "Closed categories cannot be determined: all groups are imported as private.";
  const visibilities = async () =>
    (
      await many(
        db,
        sql<{ name: string; visibility: string }>`select name, visibility from groups order by name`,
      )
    ).map(({ name, visibility }) => `${name}: ${visibility}`);

  test("skips private messages and deleted or unlisted topics", async () => {
    const only = (id: number, more: object) =>
      discourseTopic(id, [discoursePost(id * 10, 1, "sam", "<p>Between us.</p>")], more);
    const run = await bring(
      await write({
        "1.json": only(1, {}),
        "2.json": only(2, { archetype: "private_message", category_id: null }),
        "3.json": only(3, { deleted_at: "2020-06-01T10:00:00Z" }),
        "4.json": only(4, { visible: false }),
        "5.json": only(5, { archetype: "private_message" }),
        "5-2.json": JSON.stringify({
          id: 5,
          title: "Topic number 5",
          post_stream: { posts: [discoursePost(51, 2, "kim", "<p>And us.</p>")] },
        }),
        "site.json": JSON.stringify({ categories: [{ id: 5, name: "Growing" }] }),
      }),
    );
    expect((await posts()).map(([title]) => title)).toEqual(["Topic number 1"]);
    expect((await remarks(run)).sort()).toEqual([
      "2.json: Skipped: private messages are not imported.",
      "3.json: Skipped: it was deleted.",
      "4.json: Skipped: unlisted topics are not imported.",
      "5-2.json: Skipped: private messages are not imported.",
    ]);
  });

  test("keeps a category private if any list restricts it or no list contains it", async () => {
    const within = (id: number) =>
      discourseTopic(id, [discoursePost(id * 10, 1, "sam", "<p>x</p>")], { category_id: id });
    const categories = [
      { id: 1, name: "Open", subcategory_list: [{ id: 2, name: "Staff", read_restricted: true }] },
      { id: 3, name: "Board", read_restricted: true, subcategory_list: [{ id: 4, name: "Minutes" }] },
      { id: 6, name: "Moved", read_restricted: false },
      { id: 7, name: "Odd", read_restricted: "no" },
    ];
    const run = await bring(
      await write({
        ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((id) => [`${id}.json`, within(id)])),
        "9.json": discourseTopic(9, [discoursePost(90, 1, "sam", "<p>x</p>")], { category_id: null }),
        "categories.json": JSON.stringify({ category_list: { categories } }),
        "more/categories.json": "{",
        "site.json": JSON.stringify({
          categories: [
            { id: 5, name: "Only there" },
            { id: 6, name: "Moved", read_restricted: true },
          ],
        }),
      }),
    );
    expect(await visibilities()).toEqual([
      "Board: private",
      "Category 8: private",
      "Discourse: private",
      "Minutes: private",
      "Moved: private",
      "Odd: private",
      "Only there: public",
      "Open: public",
      "Staff: private",
    ]);
    const unknown = "it may be closed, so its group is imported as private.";
    expect(await remarks(run)).toEqual([
      "more/categories.json: Skipped: not a readable list of categories.",
      `8.json: No list contains category 8: ${unknown}`,
      `9.json: No list contains a category of this topic: ${unknown}`,
    ]);
  });

  test("keeps groups private if there is no category list", async () => {
    const run = await bring(await write({ "7.json": discourseTopic(7, TOPIC_SEVEN) }));
    expect(await visibilities()).toEqual(["Category 5: private"]);
    expect(await remarks(run)).toContain(`archive: There is no categories.json and no site.json. ${CLOSED}`);
  });

  test("skips a topic whose first page is missing or unreadable", async () => {
    const nameless = { id: 9, post_stream: { posts: [discoursePost(91, 2, "sam", "<p>Tell nobody.</p>")] } };
    const run = await bring(
      await write({
        "8.json": discourseTopic(8, [discoursePost(81, 1, "sam", "x")]),
        "9.json": "{",
        "9-2.json": JSON.stringify(nameless),
      }),
    );
    expect((await posts()).map(([title]) => title)).toEqual(["Topic number 8"]);
    expect(await remarks(run)).toContain(
      "9-2.json: Skipped: the page with its title is missing or unreadable.",
    );
  });

  test.each([
    ["truncated", "{"],
    ["of a different format", '{"categories":[{"id":"six"}]}'],
  ])("keeps groups private if the category list is %s", async (_, text) => {
    const run = await bring(
      await write({ "7.json": discourseTopic(7, TOPIC_SEVEN), "categories.json": text }),
    );
    expect(await visibilities()).toEqual(["Category 5: private"]);
    expect(await remarks(run)).toContain(`categories.json: ${CLOSED}`);
  });
});
