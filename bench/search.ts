import type pg from "pg";
import type { Index, Query } from "#community/search";
import type { Viewer } from "#community/rules";
import { measureApp, type Measured, type MeasuredApp, row } from "./measured-app.ts";

const GROUPS = 500;
const IN_DISCUSSION = 50;
const VOCABULARY = 40_000;
const ASKED = 200;
const WRITES = { perSecond: 50, seconds: 6 };

/** Returns pseudo-random numbers that are the same in each run. */
function seededRandom(seed: number) {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
const random = seededRandom(7);
const SYLLABLES = (
  "ba be bi bo bu da de di do du ga ge gi go gu ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni " +
  "no nu ra re ri ro ru sa se si so su ta te ti to tu"
).split(" ");
/** Words distributed as in natural languages: few are very frequent, most are rare. */
const WORDS = Array.from({ length: VOCABULARY }, () =>
  Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
  ).join(""),
);
const randomWord = () =>
  WORDS[Math.min(VOCABULARY - 1, Math.floor(Math.exp(random() * Math.log(VOCABULARY)) - 1))]!;
const randomText = (words: number) => Array.from({ length: words }, randomWord).join(" ");

/**
 * Measures search on a separate server with this many posts, of which the searcher may read about half:
 * query time, indexing speed, and the delay until a new post is found while others are written.
 */
export async function measureSearch(posts: number): Promise<Measured[]> {
  return measureApp("search", async (app) => {
    const said = await insertPosts(app.database.pool, posts);
    const began = performance.now();
    await app.search.indexer.beginAgain();
    await app.search.indexer.finish();
    const perSecond = (posts * 1000) / (performance.now() - began);
    await app.database.pool.query("analyze");
    const { rows } = await app.database.pool.query<{ id: string }>(
      "select id from people where username = 'mira'",
    );
    const viewer: Viewer = { id: rows[0]!.id, role: "member", trust: "established", limited: false };
    const ask = (words: string, index: Index = "posts", more: Partial<Query> = {}) =>
      app.search.engine.search(viewer, { index, words, ...more });
    const five: Index[] = ["people", "groups", "discussions", "posts", "resources"];
    const asked = (words: number, change = (text: string) => text) =>
      measureTimes(() => ask(change(searchPhrase(said, words))));
    const measured = [
      row("search, 1 word, begun", "p50 ≤ 15, p99 ≤ 60 ms", await asked(1)),
      row("search, 2 words, the last one begun", "p50 ≤ 15, p99 ≤ 60 ms", await asked(2)),
      row("search, 3 words, the last one begun", "p50 ≤ 15, p99 ≤ 60 ms", await asked(3)),
      row("search, 2 words with a slip", "p50 ≤ 25 ms", await asked(2, addTypo)),
      row(
        "search, five indices at once",
        "p50 ≤ 40 ms",
        await measureTimes(() => Promise.all(five.map((it) => ask(searchPhrase(said, 2), it)))),
      ),
      { name: "filing everything, things per second", target: "≥ 2 000", p50: perSecond, p99: perSecond },
      row("from writing to finding, 50 writes a second", "p99 ≤ 2 000 ms", await measureIndexLag(app)),
    ];
    return measured;
  });
}

async function measureTimes(ask: () => Promise<unknown>): Promise<number[]> {
  for (let n = 0; n < 20; n++) await ask();
  const taken: number[] = [];
  for (let n = 0; n < ASKED; n++) {
    const began = performance.now();
    await ask();
    taken.push(performance.now() - began);
  }
  return taken;
}

/** Returns consecutive words of a post, the last of them incomplete. */
function searchPhrase(said: readonly string[], count: number): string {
  const words = said[Math.floor(random() * said.length)]!.split(" ").filter((word) => word.length > 4);
  const from = Math.floor(random() * Math.max(1, words.length - count));
  return words
    .slice(from, from + count)
    .join(" ")
    .slice(0, -1);
}

/** Swaps two letters of the first long word. */
const addTypo = (text: string) => text.replace(/(\w\w)(\w)(\w)/, "$1$3$2");

/**
 * Inserts groups, two fifths of them public, with discussions and posts. Mira is a member of ten of the
 * other groups.
 */
async function insertPosts(pool: pg.Pool, posts: number): Promise<string[]> {
  const by = "(select id from people where username = 'tomas')";
  await pool.query(
    `insert into groups (id, slug, name, visibility, join_policy, created_by, created_at, last_active_at)
     select gen_random_uuid(), 'bench-' || n, 'Bench ' || n, case when n % 5 < 2 then 'public' else 'private'
       end, 'request', ${by}, now(), now() from generate_series(1, ${GROUPS}) n`,
  );
  await pool.query(
    `insert into memberships (group_id, person_id, state, joined_at, changed_at)
     select id, (select id from people where username = 'mira'), 'member', now(), now() from groups
     where slug like 'bench-%' and visibility = 'private' order by slug limit 10`,
  );
  await pool.query(
    `insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
      last_post_by, created_at)
     select gen_random_uuid(),
       (array(select id from groups where slug like 'bench-%' order by slug))[1 + n % ${GROUPS}], ${by},
       'Bench talk ' || n, ${IN_DISCUSSION}, ${IN_DISCUSSION}, now(), ${by}, now()
     from generate_series(1, ${posts / IN_DISCUSSION}) n`,
  );
  const kept: string[] = [];
  for (let from = 0; from < posts; from += 5_000) {
    const bodies = Array.from({ length: Math.min(5_000, posts - from) }, () =>
      randomText(40 + Math.floor(random() * 90)),
    );
    kept.push(...bodies.slice(0, 200));
    await pool.query(
      `insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
       select gen_random_uuid(), d.id, 1 + (${from} + n - 1) % ${IN_DISCUSSION}, ${by}, '',
         '<p>' || body || '</p>',
         now() - (random() * interval '400 days') from unnest($1::text[]) with ordinality it (body, n)
         join discussions d on d.title = 'Bench talk ' || (1 + (${from} + n - 1) / ${IN_DISCUSSION})`,
      [bodies],
    );
  }
  return kept;
}

/** Writes posts at a fixed rate, and measures for some of them the time until they are found. */
async function measureIndexLag({ database, search }: MeasuredApp): Promise<number[]> {
  const { rows } = await database.pool.query<{ discussion: string; author: string; group: string }>(
    `select d.id as discussion, d.author_id as author, d.group_id as "group" from discussions d
      join groups g on g.id = d.group_id where g.visibility = 'public' and d.title like 'Bench talk %'
      limit 1`,
  );
  const { discussion, author, group } = rows[0]!;
  const guest: Viewer = { id: null, role: "guest", trust: "new", limited: false };
  search.indexer.start();
  const taken: Promise<number>[] = [];
  for (let n = 0; n < WRITES.perSecond * WRITES.seconds; n++) {
    const due = new Promise((soon) => setTimeout(soon, 1000 / WRITES.perSecond));
    const word = `zyx${n}q${process.pid}`;
    const { rows: written } = await database.pool.query<{ id: string }>(
      `insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
        values (gen_random_uuid(), $1, $2, $3, '', $4, now()) returning id`,
      [discussion, 10_000 + n, author, `<p>${randomText(60)} ${word}</p>`],
    );
    await search.indexer.react({
      type: "post.written",
      postId: written[0]!.id,
      discussionId: discussion,
      groupId: group,
    });
    if (n % 10 === 0)
      taken.push(
        waitUntilFound(() =>
          search.engine.search(guest, { index: "posts", words: word, typos: false, prefix: "none" }),
        ),
      );
    await due;
  }
  return Promise.all(taken);
}

async function waitUntilFound(ask: () => Promise<{ total: number }>): Promise<number> {
  const began = performance.now();
  while ((await ask()).total === 0 && performance.now() - began < 20_000)
    await new Promise((soon) => setTimeout(soon, 10));
  return performance.now() - began;
}
