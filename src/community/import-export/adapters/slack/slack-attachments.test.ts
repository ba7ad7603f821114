import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts } = createAdapterSetup(database, "slack");

const message = (n: number, more: object) => ({
  type: "message",
  ts: `145278000${n}.000100`,
  user: "U1",
  text: "",
  ...more,
});
const archive = (messages: object[], purpose = "") =>
  write({
    "users.json": JSON.stringify([{ id: "U1", name: "mo", profile: { display_name: "Mo" } }]),
    "channels.json": JSON.stringify([{ id: "C1", name: "garden", purpose: { value: purpose } }]),
    "garden/2016-01-14.json": JSON.stringify(messages),
  });
const bodies = async () => (await posts()).map((post) => post.at(-1));

test("an author from another workspace gets the name stated in the message", async () => {
  const messages = [
    message(0, {
      user: "U7",
      text: "Hello",
      user_profile: { display_name: "", real_name: "Noor Haddad", name: "noor" },
    }),
    message(1, {
      user: "U8",
      text: "Hello <@U7>",
      user_profile: { display_name: "Lee", real_name: "Lee Adu" },
    }),
    message(2, { user: "U9", text: "Hello too" }),
  ];
  await bring(await archive(messages));
  expect((await posts()).map(([, , by]) => by)).toEqual(["Noor Haddad", "Lee", "Former member"]);
});

test("an edited message keeps its edit time", async () => {
  await bring(
    await archive([
      message(0, { text: "Now", edited: { user: "U1", ts: "1452780300.000000" } }),
      message(1, { text: "Then", edited: { ts: "999999999999" } }),
    ]),
  );
  expect(
    (await many(db, sql<{ at: Date | null }>`select edited_at as at from posts order by number`)).map(
      ({ at }) => at,
    ),
  ).toEqual([new Date(1_452_780_300_000), null]);
});

test("an attachment is imported with its title, text and fields", async () => {
  const attachments = [
    {
      title: "Build &amp; deploy",
      text: "Failed.",
      fields: [
        { title: "Branch", value: "*main*", short: true },
        { title: "", value: "7 min" },
        { value: 3 },
      ],
    },
    { author_name: "Lee Adu", text: "As I said\nbefore", from_url: "https://x.slack.com/archives/C1/p1" },
    { fields: "none", text: "Bare" },
  ];
  await bring(await archive([message(0, { attachments })]));
  expect(await bodies()).toEqual([
    "> Build & deploy\n> \n> Failed.\n> \n> Branch: **main**\n> \n> 7 min\n\n> Lee Adu:\n> \n> As I " +
      "said\n> before\n\n> Bare",
  ]);
});

test("the purpose of a channel is imported as plain text", async () => {
  await bring(
    await archive(
      [],
      "Beds &amp; <#C1|garden>, by <@U1>: <https://example.org/?a=1&amp;b=2|our list> and <https://example.org> :bee:",
    ),
  );
  expect(await one(db, sql`select purpose from groups`)).toEqual({
    purpose: "Beds & #garden, by Mo: our list (https://example.org/?a=1&b=2) and https://example.org 🐝",
  });
});
