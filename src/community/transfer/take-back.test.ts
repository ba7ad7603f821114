import { describe, expect, test } from "vitest";
import { Readable } from "node:stream";
import { many, maybeOne, one, run as run_, sql } from "#platform/database";
import { mergeDiscussion, reply } from "#community/discussions";
import { openSettings } from "#community/settings";
import { GUEST } from "#community/rules";
import { announced, cast } from "../../../test/cast.ts";
import { anArchive, aPost, aUser, lines, member, someDiscussion, someGroup } from "./archive.fixture.ts";
import { bringIn, type ImportRun, movedTo, takeBack } from "./index.ts";
import { MORE, SEVERAL, TABLES, archive, count, counts, database, db, theDiscussion, transfer, wish, write } from "./bring-in.fixture.ts";

const uuid = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;
const [sender, place, talk] = [uuid(1), uuid(2), uuid(3)];
/** Two snapshots of one community with its own ids. */
const snapshot = [
  aUser(sender),
  someGroup({ id: place, owner: sender }),
  { ...member(sender), group: place },
  someDiscussion({ id: talk, group: place, author: sender, oldPaths: ["/t/12"] }),
  aPost(1, { id: uuid(4), discussion: talk, author: sender }),
  { type: "reaction", post: uuid(4), user: sender, emoji: "👍" },
  { type: "setting", key: "sentence", value: "Where we argue." },
];
const gone = {
  type: "resource",
  id: uuid(8),
  group: place,
  owner: sender,
  kind: "document",
  title: "Gone in February",
  body: "x",
  createdAt: "2019-03-01",
};
const january = lines(...snapshot, gone);
const february = lines(
  ...snapshot,
  aPost(2, { id: uuid(5), discussion: talk, author: sender, replyTo: uuid(4) }),
  someDiscussion({ id: uuid(6), group: place, author: sender, title: "And what is a grain?" }),
  aPost(1, { id: uuid(7), discussion: uuid(6), author: sender }),
);

describe("undoing a run", () => {
  test("leaves what was here before and nothing imported", async () => {
    const t = await transfer();
    const { mira } = await cast(database);
    const before = await counts();
    const run = await bringIn(t, { ...wish, path: await archive() });
    const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads`);
    await takeBack(t, { runId: run.id, by: null, evenWritings: false });
    expect([await counts(), await count("old_addresses"), await count("imported"), await t.storage.sizeOf(hash)]).toEqual([
      before,
      0,
      0,
      null,
    ]);
    expect(await announced(database)).toEqual(["transfer.finished", "transfer.undone"]);
    await expect(takeBack(t, { runId: run.id, by: null, evenWritings: false })).rejects.toMatchObject({ reason: "conflict" });
    await expect(takeBack(t, { runId: mira.id, by: null, evenWritings: false })).rejects.toMatchObject({ reason: "not-found" });
  });

  test("asks before it deletes what members have written there since", async () => {
    const t = await transfer();
    const { ada } = await cast(database);
    const run = await bringIn(t, { ...wish, path: await archive(), by: ada });
    await database.inTransaction(async (tx) => reply(tx, ada, { discussionId: (await theDiscussion()).id, body: "Still a heap?" }));
    await expect(takeBack(t, { runId: run.id, by: ada, evenWritings: false })).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("written 1 times"),
    });
    expect(await count("posts")).toBe(5);
    await takeBack(t, { runId: run.id, by: ada, evenWritings: true });
    expect([await count("posts"), await count("discussions")]).toEqual([0, 0]);
  });

  test("keeps community settings changed since, even if a later run names them", async () => {
    const t = await transfer();
    const { ada } = await cast(database);
    const said = (key: string) => ({ type: "setting", key, value: "Where we argue." });
    const path = await write({ "community.ndjson": lines(said("sentence"), said("about"), said("welcome")) });
    const run = await bringIn(t, { ...wish, path, by: ada });
    database.clock.pass(1_000);
    await database.inTransaction((tx) => openSettings(database).set(tx, ada, { sentence: "Where we agree." }));
    const again = await write({ "community.ndjson": lines(said("about"), said("sentence")) });
    const other = await bringIn(t, { ...wish, path: again, source: "other", by: ada });
    const left = async () =>
      (await many(db, sql<{ key: string }>`select key from settings where key <> 'writingLimits' order by key`)).map(({ key }) => key);
    await takeBack(t, { runId: run.id, by: null, evenWritings: false });
    expect(await left()).toEqual(["about", "sentence"]);
    await takeBack(t, { runId: other.id, by: null, evenWritings: false });
    expect(await left()).toEqual(["sentence"]);
  });

  test("deletes extracted text and previews of imported files", async () => {
    const t = await transfer();
    const { ada } = await cast(database);
    const run = await bringIn(t, { ...wish, path: await archive(), by: ada });
    const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads`);
    const picture = await t.storage.put(Readable.from([Buffer.from("a picture of it")]), 100);
    await database.inTransaction((tx) =>
      run_(
        tx,
        sql`insert into file_texts (hash, state, pages, text, language, thumbnail, read_at) values (${hash}, 'read', 1, 'A heap.', 'en', ${picture.hash}, ${tx.now})`,
      ),
    );
    await takeBack(t, { runId: run.id, by: null, evenWritings: false });
    expect([await count("file_texts"), await t.storage.sizeOf(hash), await t.storage.sizeOf(picture.hash)]).toEqual([0, null, null]);
  });

  test("goes backwards: a later run of the same archive that has brought something first", async () => {
    const t = await transfer();
    const first = await bringIn(t, { ...wish, path: await archive() });
    database.clock.pass(1_000);
    const second = await bringIn(t, { ...wish, path: await archive(4) });
    expect(await count("posts")).toBe(5);
    await expect(takeBack(t, { runId: first.id, by: null, evenWritings: false })).rejects.toMatchObject({ reason: "conflict" });
    await takeBack(t, { runId: second.id, by: null, evenWritings: false });
    expect(await count("posts")).toBe(4);
    await takeBack(t, { runId: first.id, by: null, evenWritings: false });
    expect(await count("posts")).toBe(0);
  });

  test("is possible after a later run of the same archive that has brought nothing", async () => {
    const t = await transfer();
    const path = await archive();
    const first = await bringIn(t, { ...wish, path });
    database.clock.pass(1_000);
    await bringIn(t, { ...wish, path });
    await takeBack(t, { runId: first.id, by: null, evenWritings: false });
    expect([await count("posts"), await count("groups"), await count("imported")]).toEqual([0, 0, 0]);
  });

  test("takes smaller shares where the database gives up on larger ones", async () => {
    const t = await transfer();
    const run = await bringIn(t, { ...wish, path: await archive(200) });
    const givesUp = sql`
      create function give_up() returns trigger language plpgsql as $$ begin
        if (select count(*) from gone) > 50 then raise exception 'too slow' using errcode = '57014'; end if;
        return null; end $$;
      create trigger gives_up after delete on posts referencing old table as gone for each statement execute function give_up()`;
    await db.executeQuery(givesUp.compile(db));
    const left: number[] = [];
    await takeBack(t, { runId: run.id, by: null, evenWritings: false }, (n) => left.push(n));
    await db.executeQuery(sql`drop function give_up() cascade`.compile(db));
    expect([await count("posts"), await count("imported"), left.length > 5]).toEqual([0, 0, true]);
  });

  test("keeps a membership that existed before the import", async () => {
    const t = await transfer();
    const { mira } = await cast(database);
    await db.executeQuery(sql`update people set email_confirmed_at = now() where id = ${mira.id}`.compile(db));
    const known = aUser("mira", { email: "mira@example.org" });
    await bringIn(t, {
      ...wish,
      path: await write({ "community.ndjson": lines(aUser("plato"), known, someGroup(), member("mira")) }, "one"),
    });
    const group = await one(db, sql<{ id: string }>`select id from groups`);
    const records = [known, { ...someGroup(), id: group.id, owner: "mira" }, { ...member("mira"), group: group.id }];
    const run = await bringIn(t, { ...wish, path: await write({ "community.ndjson": lines(...records) }, "two") });
    await takeBack(t, { runId: run.id, by: null, evenWritings: false });
    expect(await maybeOne(db, sql`select members_count from groups`)).toEqual({ members_count: 1 });
  });

  test("keeps what another archive imported or still needs", async () => {
    const t = await transfer();
    const [jan, feb] = [await write({ "a.ndjson": january }, "jan"), await write({ "a.ndjson": february }, "feb")];
    const first = await bringIn(t, { ...wish, path: jan });
    database.clock.pass(1_000);
    const second = await bringIn(t, { ...wish, path: feb });
    const whole = async () => [await count("discussions"), await count("posts"), await count("resources"), await count("settings")];
    expect(await whole()).toEqual([2, 3, 1, 1]);

    await takeBack(t, { runId: first.id, by: null, evenWritings: false });
    expect(await whole()).toEqual([2, 3, 0, 1]);
    expect(await movedTo(db, GUEST, "/t/12")).toEqual({ kind: "discussion", id: talk });
    expect((await bringIn(t, { ...wish, path: feb })).counts.post).toEqual({ known: 3 });
    expect(await whole()).toEqual([2, 3, 0, 1]);
    const third = await one(db, sql<{ id: string }>`select id from import_runs order by created_at desc, id desc limit 1`);
    for (const runId of [third.id, second.id]) await takeBack(t, { runId, by: null, evenWritings: false });
    expect([...(await whole()), await count("groups"), await count("people"), await count("imported")]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await bringIn(t, { ...wish, path: feb })).counts.post).toEqual({ made: 3, known: 0 });
  });

  test("works in any order if archives share records", async () => {
    const t = await transfer();
    const first = await bringIn(t, { ...wish, path: await write({ "a.ndjson": january }, "jan") });
    const second = await bringIn(t, { ...wish, path: await write({ "a.ndjson": february }, "feb") });
    await takeBack(t, { runId: second.id, by: null, evenWritings: false });
    expect([await count("discussions"), await count("posts")]).toEqual([1, 1]);
    await takeBack(t, { runId: first.id, by: null, evenWritings: false });
    expect([await count("groups"), await count("people"), await count("imported")]).toEqual([0, 0, 0]);
  });

  test("leaves people that another archive also names with that archive", async () => {
    const t = await transfer();
    const plato = aUser("plato", { email: "plato@example.org" });
    const first = await bringIn(t, { ...wish, path: await archive() });
    database.clock.pass(1_000);
    const other = lines({ ...plato, id: "7" }, someGroup({ name: "Elsewhere", owner: "7" }), someDiscussion({ author: "7" }));
    const second = await bringIn(t, { ...wish, path: await write({ "community.ndjson": other }, "other") });
    expect((await takeBack(t, { runId: first.id, by: null, evenWritings: false })).state).toBe("undone");
    expect(await many(db, sql`select username from people`)).toEqual([{ username: "plato" }]);
    expect((await theDiscussion()).title).toBe("What is a heap?");
    // By now no other archive names them.
    await takeBack(t, { runId: second.id, by: null, evenWritings: false });
    expect([await count("people"), await count("discussions"), await count("imported")]).toEqual([0, 0, 0]);
  });
});

const madeOf = ({ counts: all }: ImportRun) => Object.fromEntries(Object.entries(all).map(([kind, { made = 0 }]) => [kind, made]));

describe("imported content that was deleted", () => {
  test("deleted content is imported again by a later run and re-attached to what refers to it", async () => {
    const t = await transfer();
    const [path, grown] = [await archive(), await write({ "community.ndjson": lines(...anArchive(4)), "files/heap.txt": "1" })];
    await bringIn(t, { ...wish, path });
    await db.executeQuery(sql`delete from groups`.compile(db));
    await db.executeQuery(sql`delete from conversations`.compile(db));
    const seen = await bringIn(t, { ...wish, path: grown, check: true });
    const again = await bringIn(t, { ...wish, path: grown });
    expect([again.state, again.problems, again.counts.user]).toEqual(["done", 0, { known: 2 }]);
    expect(madeOf(seen)).toEqual(madeOf(again));
    expect(await counts()).toEqual({ ...Object.fromEntries([...TABLES, ...MORE].map((it) => [it, 1])), ...SEVERAL, posts: 5 });
    await takeBack(t, { runId: again.id, by: null, evenWritings: false });
    expect([await count("groups"), await count("posts"), await count("people")]).toEqual([0, 0, 2]);
  });

  test("a merged discussion is found in the discussion it was merged into", async () => {
    const t = await transfer();
    const { ada } = await cast(database);
    const records = [
      ...anArchive(),
      someDiscussion({ id: "e", title: "What is a grain?" }),
      aPost(8, { discussion: "e", replyTo: undefined }),
    ];
    const at = (more: object[]) => write({ "community.ndjson": lines(...records, ...more), "files/heap.txt": "1" });
    await bringIn(t, { ...wish, path: await at([]), by: ada });
    const [e, d] = await many(db, sql<{ id: string }>`select id from discussions order by title`);
    await database.inTransaction((tx) =>
      mergeDiscussion(tx, ada, { discussionId: e!.id, into: d!.id, visibility: "public", reason: "One question." }),
    );
    const later = await bringIn(t, { ...wish, path: await at([aPost(9, { discussion: "e", replyTo: "p8" })]), by: ada });
    expect([later.problems, later.counts.discussion, later.counts.post]).toEqual([0, { known: 2 }, { made: 1, known: 5 }]);
    expect([await count("discussions"), await one(db, sql`select count(*)::int as n from posts where discussion_id = ${d!.id}`)]).toEqual([
      1,
      { n: 5 },
    ]);
  });
});
