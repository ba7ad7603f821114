import type pg from "pg";

/**
 * Content that the demo lacks: a discussion of 1 800 posts, two hundred discussions that Mira follows, one
 * that ten thousand people watch, sixteen writers, a person with two thousand conversations and a thousand
 * friends, and a library of ten thousand resources.
 */
export const LONG_DISCUSSION = "019a0000-0000-7000-8000-00000000be0c";
export const LONG_DISCUSSION_POSTS = 1_800;
export const WRITER_COUNT = 16;
/** A discussion that ten thousand people watch. */
export const WATCHED_DISCUSSION = "019a0000-0000-7000-8000-00000000c40d";
const WATCHER_COUNT = 10_000;
/** Username of the person with two thousand conversations and a thousand friends. */
export const CONNECTED_PERSON = "much-known";
const CONVERSATIONS = 2_000;
const FRIENDS = 1_000;
const RESOURCES = 10_000;

/** People whose sessions are measured. */
const MEASURED_PEOPLE = ["mira", "tomas", "ines", "ada"];
/**
 * Number of people who sign in repeatedly. They differ from the measured ones, because only a person's ten
 * latest sessions are kept.
 */
const SIGN_IN_COUNT = 4;

const FOLLOWED_DISCUSSIONS = 200;
const MIRA = "(select id from people where username = 'mira')";
const BEDS = "(select id from groups where slug = 'long-beds')";
const WORDS = "Sow them under glass in March, plant them out after the ice saints, and keep the slugs away. ";

const STATEMENTS = [
  // A discussion with this many posts, the last one a minute ago.
  `with d as (select $1::uuid as id, ${BEDS} as group_id, ${MIRA} as by),
     talk as (insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
       last_post_by, created_at)
       select id, group_id, by, 'A talk as long as a winter', $2::int, $2::int, now() - interval '1 minute',
         by, now() - interval '400 days' from d)
   insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
   select gen_random_uuid(), d.id, n,
     (array(select id from people where state in ('active', 'ghost') order by id limit 20))[1 + n % 20],
     repeat($3, 1 + n % 5), '<p>' || repeat($3, 1 + n % 5) || '</p>',
     now() - interval '400 days' + n * interval '5 hours'
   from d, generate_series(1, $2::int) n`,
  // Followed discussions, all with unread posts.
  `insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
    last_post_by, created_at)
   select gen_random_uuid(), ${BEDS}, ${MIRA}, 'Followed number ' || n, 3, 3, now() - n * interval '1 hour',
     ${MIRA}, now() - interval '30 days'
   from generate_series(1, $1::int) n`,
  `insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
   select gen_random_uuid(), d.id, n, d.author_id, $1, '<p>' || $1 || '</p>', d.created_at
   from discussions d, generate_series(1, 3) n where d.title like 'Followed number %'`,
  `insert into read_positions (person_id, discussion_id, last_read_number, level, read_at)
   select ${MIRA}, id, 1, 'watching', now() from discussions where title like 'Followed number %'`,
  // People who may write in these discussions, with Mira's password. People who sign in repeatedly are
  // excluded, because their older sessions end.
  `with writers as (update people
    set password_hash = (select password_hash from people where username = 'mira'), state = 'active',
      trust = 'established'
     where id in (select id from people where state in ('active', 'ghost') and password_hash is null
       order by id limit $1) returning id)
   insert into memberships (group_id, person_id, state, joined_at, changed_at)
   select ${BEDS}, id, 'member', now(), now() from writers
   on conflict (group_id, person_id) do update set state = 'member',
     joined_at = coalesce(memberships.joined_at, now())`,
  `with d as (insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
    last_post_by, created_at)
     values ($1, ${BEDS}, ${MIRA}, 'What everybody watches', 0, 0, now(), ${MIRA}, now()) returning id),
     crowd as (insert into people (id, username, display_name, state, created_at)
       select gen_random_uuid(), 'watcher-' || n, 'Watcher', 'active', now()
       from generate_series(1, $2::int) n returning id)
   insert into read_positions (person_id, discussion_id, level, read_at) select crowd.id, d.id, 'watching',
     now() from crowd, d`,
  `insert into people (id, username, display_name, password_hash, state, trust, created_at)
   select gen_random_uuid(), $1, 'Much Known', password_hash, 'active', 'established', now() from people
   where username = 'mira'`,
  `insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
   select least(me.id, other.id), greatest(me.id, other.id), 'friends', me.id, now(),
     now() - other.n * interval '1 minute'
   from people me, (select id, row_number() over (order by id) as n from people
     where username like 'watcher-%' order by id limit $2) other where me.username = $1`,
  // Conversations, each with another person, an hour apart; in every third the last message is unread.
  `with me as (select id from people where username = $1),
     others as (select id, row_number() over (order by id) as n from people where username like 'watcher-%'
       order by id limit $2),
     talks as (insert into conversations (id, kind, creator_id, pair, last_seq, last_message_at, created_at)
       select gen_random_uuid(), 'direct', me.id, least(me.id, o.id) || ':' || greatest(me.id, o.id), 3,
         now() - o.n * interval '1 hour', now() - interval '200 days'
       from others o, me returning id, pair, last_message_at),
     them as (select t.id, t.last_message_at, o.id as other_id, o.n from talks t, others o, me
       where t.pair = least(me.id, o.id) || ':' || greatest(me.id, o.id)),
     seats as (insert into participants (conversation_id, person_id, last_read_seq, last_seq, last_message_at,
       joined_at)
       select them.id, me.id, case when n % 3 = 0 then 2 else 3 end, 3, last_message_at,
         now() - interval '200 days' from them, me
       union all select them.id, other_id, 3, 3, last_message_at, now() - interval '200 days' from them)
   insert into messages (id, conversation_id, seq, author_id, body_md, body_html, created_at)
   select gen_random_uuid(), t.id, seq, case when seq = 2 then me.id else t.other_id
     end, $3, '<p>' || $3 || '</p>', t.last_message_at - (3 - seq) * interval '1 minute'
   from them t, me, generate_series(1, 3) seq`,
  `insert into resources (id, kind, group_id, owner_id, title, why, body_md, body_html, tags, created_at)
   select gen_random_uuid(), 'document', case when n % 2 = 0 then ${BEDS}
     end, ${MIRA}, 'What is worth keeping, ' || n, $2, $2, '<p>' || $2 || '</p>',
     array['kept-' || n % 40], now() - n * interval '1 hour' from generate_series(1, $1::int) n`,
];
const PARAMETERS = [
  [LONG_DISCUSSION, LONG_DISCUSSION_POSTS, WORDS],
  [FOLLOWED_DISCUSSIONS],
  [WORDS],
  [],
  [WRITER_COUNT + SIGN_IN_COUNT],
  [WATCHED_DISCUSSION, WATCHER_COUNT],
  [CONNECTED_PERSON],
  [CONNECTED_PERSON, FRIENDS],
  [CONNECTED_PERSON, CONVERSATIONS, WORDS],
  [RESOURCES, WORDS],
];

export async function fillLargeCommunity(pool: pg.Pool): Promise<void> {
  for (const [at, text] of STATEMENTS.entries()) await pool.query(text, PARAMETERS[at]);
  await pool.query("analyze");
}

/**
 * Returns people with a known password, the eight discussions in which they write in turn, and the people
 * who sign in.
 */
export async function listWriters(
  pool: pg.Pool,
): Promise<{ usernames: string[]; discussions: string[]; signers: string[] }> {
  const people = await pool.query<{ username: string }>(
    "select username from people where password_hash is not null and username <> all($2) order by id limit $1",
    [WRITER_COUNT + SIGN_IN_COUNT, [...MEASURED_PEOPLE, CONNECTED_PERSON]],
  );
  const talks = await pool.query<{ id: string }>(
    "select id from discussions where title like 'Followed number %' order by id limit 8",
  );
  const names = people.rows.map((row) => row.username);
  return {
    usernames: names.slice(0, WRITER_COUNT),
    discussions: talks.rows.map((row) => row.id),
    signers: names.slice(WRITER_COUNT),
  };
}
