import { describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { FetchError, type Fetcher } from "#platform/fetcher";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { editPost, fetchLinkPreview, getPost, purgeLinkPreviews, removeLinkPreview } from "../index.ts";
import { normalizePreviewUrl, parseLinkPreview } from "./link-previews.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const ADDRESS = "https://example.org/beans";

/** A remote page with this head. */
const finding = (head: string): Pick<Fetcher, "page"> => ({
  page: async (url) => ({ url, html: `<html><head>${head}</head><body>x</body></html>` }),
});
const failing = (error: Error): Pick<Fetcher, "page"> => ({
  page: async () => {
    throw error;
  },
});
const AWAY = new FetchError("The server does not respond.", { passing: true });
const beans = finding('<title>Beans</title><meta name="description" content="All about them.">');

async function setting() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const post = await createTestReply(database, people.mira, discussion.id, {
    body: `Look:\n\n${ADDRESS}\n\nand https://example.org/in-a-line`,
  });
  return { ...people, discussion, post };
}
/** Addresses in all queued preview jobs. */
const jobs = async () =>
  (
    await many(
      db,
      sql<{
        address: string;
      }>`select j.payload->>'address' as address from graphile_worker._private_jobs j
        join graphile_worker.jobs o using (id)
        where o.task_identifier = 'link-preview'`,
    )
  ).map((it) => it.address);
/** Milliseconds until each job runs. */
const pausesNow = async () =>
  (
    await many(
      db,
      sql<{
        runAt: Date;
      }>`select run_at as "runAt" from graphile_worker.jobs where task_identifier = 'link-preview'`,
    )
  ).map(({ runAt }) => runAt.getTime() - database.clock.at.getTime());
const done = () =>
  many(
    db,
    sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
      where task_identifier = 'link-preview'`,
  );

describe("link on a line of its own", () => {
  test("gets a preview after its page is fetched; the page is fetched at most weekly", async () => {
    const { mira, tomas, discussion, post } = await setting();
    expect((await getPost(db, tomas, post.id)).cards).toBeUndefined();
    expect(await jobs()).toEqual([ADDRESS]);
    await fetchLinkPreview(database, beans, ADDRESS);
    const card = { address: ADDRESS, title: "Beans", description: "All about them.", site: "example.org" };
    expect((await getPost(db, tomas, post.id)).cards).toEqual([card]);
    expect(await listEmittedEvents(database)).toContain("link.previewed");
    await done();
    const again = await createTestReply(database, mira, discussion.id, {
      body: `${ADDRESS}?utm_source=mail#top`,
    });
    expect((await getPost(db, tomas, again.id)).cards).toEqual([card]);
    expect(await jobs()).toEqual([]);
    await run(db, sql`update link_previews set fetched_at = fetched_at - interval '8 days'`);
    await createTestReply(database, mira, discussion.id, { body: ADDRESS });
    expect(await jobs()).toEqual([ADDRESS]);
  });

  test("causes only one fetch, even if it is long and posted twice", async () => {
    const { mira, discussion } = await setting();
    await done();
    const long = `https://example.org/${"a".repeat(1_900)}`;
    for (const body of [long, `Refresh:\n\n${long}`])
      await createTestReply(database, mira, discussion.id, { body });
    expect(await jobs()).toEqual([long]);
  });

  test("stays without a preview if the address is no web page", async () => {
    const { tomas, post } = await setting();
    await fetchLinkPreview(database, failing(new FetchError("This is not a page.")), ADDRESS);
    expect((await getPost(db, tomas, post.id)).cards).toBeUndefined();
    await expect(fetchLinkPreview(database, failing(new TypeError("oops")), ADDRESS)).rejects.toThrow("oops");
  });

  test("keeps its preview while the server is down, and loses it if the page no longer exists", async () => {
    const { tomas, post } = await setting();
    await fetchLinkPreview(database, beans, ADDRESS);
    await fetchLinkPreview(database, failing(AWAY), ADDRESS);
    expect((await getPost(db, tomas, post.id)).cards).toMatchObject([{ title: "Beans" }]);
    await fetchLinkPreview(database, failing(new FetchError("There is no page.")), ADDRESS);
    expect((await getPost(db, tomas, post.id)).cards).toBeUndefined();
  });

  test("causes three retries with growing delays, then none until a new post a week later", async () => {
    const { mira, discussion } = await setting();
    const pauses: number[] = [];
    for (let before = 0; before < 4; before += 1) {
      await done();
      await fetchLinkPreview(database, failing(AWAY), ADDRESS, before);
      pauses.push(...(await pausesNow()));
    }
    expect(pauses).toEqual([10 * MINUTE, 2 * HOUR, DAY]);
    await createTestReply(database, mira, discussion.id, { body: ADDRESS });
    expect(await jobs()).toEqual([]);
  });

  test("causes no event if the preview did not change", async () => {
    await setting();
    await fetchLinkPreview(database, beans, ADDRESS);
    await fetchLinkPreview(database, beans, ADDRESS);
    expect((await listEmittedEvents(database)).filter((type) => type === "link.previewed")).toHaveLength(1);
  });

  test("loses its preview only when the author removes it, and edits do not restore it", async () => {
    const { mira, tomas, noor, guest, post } = await setting();
    await fetchLinkPreview(database, beans, ADDRESS);
    const remove = (who: typeof mira | typeof guest, address = ADDRESS) =>
      within((tx) => removeLinkPreview(tx, who, { postId: post.id, address }));
    for (const viewer of [tomas, noor])
      await expect(remove(viewer)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(remove(guest)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(remove(mira, "https://example.org/other")).rejects.toMatchObject({ reason: "not-found" });
    await remove(mira);
    expect((await getPost(db, tomas, post.id)).cards).toBeUndefined();
    await within((tx) => editPost(tx, mira, { postId: post.id, version: 1, body: `Changed:\n\n${ADDRESS}` }));
    expect((await getPost(db, tomas, post.id)).cards).toBeUndefined();
  });

  test("has no preview across a block, and an unused preview is purged", async () => {
    const { mira, tomas, post } = await setting();
    await fetchLinkPreview(database, beans, ADDRESS);
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect((await getPost(db, tomas, post.id)).cards).toBeUndefined();
    await within((tx) => editPost(tx, mira, { postId: post.id, version: 1, body: "No link." }));
    expect((await getPost(db, mira, post.id)).cards).toBeUndefined();
    expect(await within(purgeLinkPreviews)).toBe(0);
    await run(
      db,
      sql`update link_previews set requested_at = requested_at - ${`${8 * DAY} milliseconds`}::interval`,
    );
    expect(await within(purgeLinkPreviews)).toBe(1);
  });
});

test("a preview address omits tracking parameters and must be a web page", () => {
  expect(normalizePreviewUrl("https://Example.ORG/a?b=1&utm_source=x&fbclid=y#z")).toBe(
    "https://example.org/a?b=1",
  );
  for (const href of [
    "mailto:mira@example.org",
    "https://mira:secret@example.org/",
    "/users/x",
    `https://example.org/${"a".repeat(2_000)}`,
  ])
    expect(normalizePreviewUrl(href)).toBeNull();
});

test("the text of a page is plain, truncated and free of control characters", () => {
  const card = (head: string) =>
    parseLinkPreview(`<head>${head}</head><body><title>not this</title></body>`, "https://www.example.org/");
  expect(
    card(
      '<title>Plain</title><meta property="og:title" content="Better &lt;b&gt;\u202eevil"><meta ' +
        'property="og:site_name" content="Beans &amp; Co">',
    ),
  ).toEqual({
    title: "Better <b>evil",
    description: "",
    site: "Beans & Co",
  });
  expect(card(`<title>${"a".repeat(500)}</title>`)!.title).toHaveLength(200);
  expect(card("<p>nothing</p>")).toBeNull();
  expect(parseLinkPreview("", "https://example.org/")).toBeNull();
});
