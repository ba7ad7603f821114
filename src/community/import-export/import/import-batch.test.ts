import { expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import {
  postRecord,
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../../test/support/import-export/sample-archive.ts";
import { runImport, describeCounts } from "../index.ts";
import {
  db,
  describeProblems,
  transfer,
  importOptions,
  write,
} from "../../../../test/support/import-export/import-setup.ts";

const vote = (post: string, option: number, user = "zeno") => ({ type: "vote", post, user, option });
const reaction = (emoji: string, user = "zeno") => ({ type: "reaction", post: "p1", user, emoji });
const between = Array.from({ length: 1_000 }, (_, i) => userRecord(`reader${i}`));
const head = [
  userRecord("plato"),
  userRecord("zeno"),
  groupRecord(),
  discussionRecord(),
  postRecord(1, { poll: { options: ["A heap", "No heap", "Both"], most: 2 } }),
  postRecord(2, { poll: { options: ["One", "Two"] }, replyTo: undefined }),
];
const twoBatches = archiveText(
  ...head,
  vote("p1", 1),
  vote("p2", 1),
  reaction("👍"),
  ...between,
  vote("p1", 3),
  vote("p1", 2),
  vote("p2", 2),
  reaction("🎉"),
);

test("votes and reactions spread over several batches are imported completely and counted once", async () => {
  const t = await transfer();
  const path = await write({ "community.ndjson": twoBatches });
  const check = await runImport(t, { ...importOptions, path, check: true });
  expect([check.counts.vote, check.counts.reaction]).toEqual([{ made: 3, refused: 2 }, { made: 2 }]);
  const come = await runImport(t, { ...importOptions, path });
  expect(describeCounts(come.counts, true)).toEqual(describeCounts(check.counts, true));
  expect(await describeProblems(come.id)).toEqual(await describeProblems(check.id));
  const votes = await many(
    db,
    sql`select p.body_md as post, v.position from poll_votes v join posts p on p.id = v.post_id where ${true}
      order by 1, 2`,
  );
  expect(votes).toEqual([
    { post: "Grain 1.", position: 1 },
    { post: "Grain 1.", position: 3 },
    { post: "Grain 2.", position: 1 },
  ]);
  expect(
    await many(
      db,
      sql`select kind, count(*)::int as n from imported_records where kind in ('vote', 'reaction') and made
        group by 1 order by 1`,
    ),
  ).toEqual([
    { kind: "reaction", n: 2 },
    { kind: "vote", n: 3 },
  ]);
  for (const again of [true, false])
    expect((await runImport(t, { ...importOptions, path, check: again })).counts).toMatchObject({
      vote: { known: 3, refused: 2 },
      reaction: { known: 2 },
    });
});

test("existing votes and reactions are not counted as new when another archive contains them", async () => {
  const [t, path] = [await transfer(), await write({ "community.ndjson": archiveText(...head) })];
  await runImport(t, { ...importOptions, path });
  await run(
    db,
    sql`insert into poll_votes (post_id, person_id, position, at) select p.id, a.id, 2, now()
      from posts p, people a where p.number = 1 and a.username = 'zeno'`,
  );
  await run(
    db,
    sql`insert into reactions (post_id, person_id, emoji, created_at) select p.id, a.id, '👍', now()
      from posts p, people a where p.number = 1 and a.username = 'zeno'`,
  );
  const more = await write({
    "community.ndjson": archiveText(...head, vote("p1", 1), reaction("👍"), reaction("🎉")),
  });
  for (const check of [true, false]) {
    const { counts } = await runImport(t, { ...importOptions, path: more, check });
    expect([counts.vote, counts.reaction]).toEqual([{ known: 1 }, { known: 1, made: 1 }]);
  }
  expect(await many(db, sql`select position from poll_votes`)).toEqual([{ position: 2 }]);
});

test("the check reports the same reply and vote problems as the run", async () => {
  const text = archiveText(
    ...head,
    discussionRecord({ id: "e" }),
    postRecord(3, { discussion: "e", replyTo: "p1" }),
    postRecord(4, { discussion: "e", replyTo: "p5" }),
    postRecord(5, { discussion: "e", replyTo: "p3" }),
    ...between,
    postRecord(6, { discussion: "e", replyTo: "p2" }),
    postRecord(7, { discussion: "e", replyTo: "p5" }),
    vote("p1", 4),
    vote("p3", 1),
    vote("p1", 3),
  );
  const [t, path] = [await transfer(), await write({ "community.ndjson": text })];
  const check = await runImport(t, { ...importOptions, path, check: true });
  const come = await runImport(t, { ...importOptions, path });
  const stray = (of: string) =>
    `It replies to ${of}, which is not an earlier post in the same place: imported without that link.`;
  const left = "Skipped: the option does not exist.";
  expect((await describeProblems(check.id)).map((it) => it.replace(/^line \d+: /, "")).sort()).toEqual(
    [stray("p1"), stray("p5"), stray("p2"), left, left].sort(),
  );
  expect(await describeProblems(check.id)).toEqual(await describeProblems(come.id));
  expect(describeCounts(check.counts, true)).toEqual(describeCounts(come.counts, true));
});

test("a future creation date becomes the time of import", async () => {
  const at = "2091-03-01T08:00:00Z";
  const t = await transfer();
  const now = (
    await runImport(t, {
      ...importOptions,
      check: true,
      path: await write({ "community.ndjson": archiveText() }),
    })
  ).createdAt.getTime();
  const text = archiveText(
    userRecord("plato", { createdAt: at }),
    groupRecord({ lastActiveAt: at, createdAt: at }),
    discussionRecord({ pinnedAt: "2019-03-02", pinnedUntil: at }),
    postRecord(1, { createdAt: at, editedAt: at }),
    postRecord(2, { author: "plato", replyTo: "p1", createdAt: new Date(now + 3_600_000).toISOString() }),
    { type: "revision", post: "p1", by: "plato", body: "A grain.", createdAt: at },
  );
  const path = await write({ "community.ndjson": text });
  const warnings = [
    "line 2: Its createdAt is in the future: set to the time of the import.",
    "line 3: Its createdAt and its lastActiveAt are in the future: set to the time of the import.",
    "line 5: Its createdAt and its editedAt are in the future: set to the time of the import.",
    "line 7: Skipped: its createdAt is in the future.",
  ];
  for (const check of [true, false])
    expect(
      (await describeProblems((await runImport(t, { ...importOptions, path, check })).id)).sort(),
    ).toEqual(warnings);
  const soon = (it: Date) => Math.abs(it.getTime() - now) < 7_200_000;
  const { said, active, until } = (
    await many(
      db,
      sql<{
        said: Date;
        active: Date;
        until: Date;
      }>`select max(p.created_at) as said, max(g.last_active_at) as active, max(d.pinned_until) as until
        from posts p join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id`,
    )
  )[0]!;
  expect([soon(said), soon(active), until]).toEqual([true, true, new Date(at)]);
  expect((await runImport(t, { ...importOptions, path })).counts).toMatchObject({
    post: { known: 2 },
    revision: { refused: 1 },
  });
});
