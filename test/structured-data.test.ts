import { beforeEach, expect, test } from "vitest";
import { deletePost } from "#community/discussions";
import type { Viewer } from "#community/rules";
import { run, sql } from "#platform/database";
import { aDiscussion, aGroup, aReply, type Cast, cast } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/** What search engines are told of a public discussion, which come as guests. */
const database = await testDatabase();
const { db, inTransaction: within } = database;
const { server, as } = await servedPages(database);
let people: Cast;
let at: { id: string; groupId: string };
const BEGINS = "How early is too </script> early?";

beforeEach(async () => {
  database.clock.at = new Date();
  people = await cast(database);
  const group = await aGroup(database, people);
  at = { ...(await aDiscussion(database, people.mira, group.id, { title: "Sowing", body: BEGINS })), groupId: group.id };
});

const page = async (search = "", who?: Viewer) =>
  (await server.inject({ url: `/discussions/${at.id}${search}`, headers: { host: "kith.test", accept: "text/html", ...(who && as(who)) } }))
    .body;
type Told = { url: string; text: string; author: { name: string }; comment?: { url: string; text: string; author: { name: string } }[] };
const told = (html: string) =>
  [...html.matchAll(/<script[^>]*application\/ld\+json[^>]*>(.*?)<\/script>/gs)].map((match) => JSON.parse(match[1]!) as Told);

test("names what it begins with and the replies that stand there, each with its author; nothing of what was taken away", async () => {
  const { tomas } = people;
  await aReply(database, tomas, at.id, { body: "Not before May." });
  const gone = await aReply(database, tomas, at.id, { body: "In March, of course." });
  await within((tx) => deletePost(tx, tomas, { postId: gone.id }));
  await aReply(database, tomas, at.id, { body: "As I said." });
  const html = await page();
  const url = `http://kith.test/discussions/${at.id}`;
  expect(told(html)).toMatchObject([
    {
      url,
      text: BEGINS,
      author: { name: "Mira" },
      comment: [
        { url: `${url}?post=2#post-2`, text: "Not before May.", author: { name: "Tomas" } },
        { text: "As I said.", author: { name: "Tomas" } },
      ],
    },
  ]);
  expect(html).not.toContain("In March");
  // It stands there once: a page in a browser is not handed it besides.
  expect(html.split("DiscussionForumPosting")).toHaveLength(2);
});

test("says of a later page what it is about, and the replies of that page", async () => {
  for (let n = 2; n <= 22; n++) await aReply(database, people.tomas, at.id, { body: `Answer number ${n}.` });
  const html = await page("?page=2");
  expect(html).toContain("<title>Sowing – page 2 · ");
  expect(told(html)).toMatchObject([
    {
      url: `http://kith.test/discussions/${at.id}?page=2`,
      text: BEGINS,
      comment: [{ text: "Answer number 21." }, { text: "Answer number 22." }],
    },
  ]);
});

test("is for nobody else, and of nothing that is for members", async () => {
  expect(told(await page("", people.mira))).toEqual([]);
  await run(db, sql`update discussions set audience = 'members' where id = ${at.id}`);
  expect(told(await page("", people.mira))).toEqual([]);
  expect(told(await page())).toEqual([]);
});
