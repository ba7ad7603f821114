import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, sql } from "#platform/database";
import { blockedIds, blockerIds, mutedIds } from "#community/friends";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { sharedWordCount } from "./similar-discussions.ts";

export type RelatedDiscussion = {
  id: string;
  title: string;
  language: string;
  groupName: string;
  lastPostAt: Date;
};
/** A discussion that the viewer has read, with related discussions. */
export type ReadingRecommendation = { id: string; title: string; near: RelatedDiscussion[] };
type Row = RelatedDiscussion & { readId: string; readTitle: string };

const MAX_RELATED = 3;
const READ_PERIOD = 30 * DAY;
const ACTIVITY_PERIOD = 365 * DAY;
/**
 * Number of recently read discussions that are tried, because the last one may have no related discussions.
 */
const MAX_READS = 5;
/** Maximum number of related candidates that are compared, latest first. */
const MAX_COMPARED = 500;

/**
 * Recommends up to three discussions related to one that the viewer has read within thirty days: of the last
 * five read discussions, the latest one with related discussions is used. Related discussions share a tag or
 * a third of the significant title words, had posts within a year, and were never opened by the viewer. They
 * are sorted by what they share, then latest first. Excludes people whom the viewer blocks or mutes, or who
 * block the viewer. Null if nothing is related. `now` is the end of these periods. One query.
 */
export async function recommendFromReading(
  db: Db,
  viewer: SignedIn,
  now: Date,
): Promise<ReadingRecommendation | null> {
  // PostgreSQL scans the read discussions, latest first, only until three related discussions are found.
  const rows = await many(
    db,
    sql<Row>`
      select read.id as "readId", read.title as "readTitle", near.* from (${lastReads(viewer, now)}) read
      cross join lateral (${relatedDiscussions(viewer, now)}) near ${limit(MAX_RELATED)}`,
  );
  const [first] = rows;
  if (!first) return null;
  const near = rows
    .filter(({ readId }) => readId === first.readId)
    .map(({ readId: _, readTitle: __, ...row }) => row);
  return { id: first.readId, title: first.readTitle, near };
}

const lastReads = (viewer: SignedIn, now: Date) => sql`
  select d.id, d.title, d.tags, ${significantWords} as words
  from (select discussion_id, read_at from read_positions
        where person_id = ${viewer.id} and last_read_number > 0 and level <> 'muted'
          and read_at > ${addMilliseconds(now, -READ_PERIOD)}
        order by read_at desc, discussion_id ${limit(MAX_READS)}) rs
  join discussions d on d.id = rs.discussion_id
  join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
  where d.state = 'open' and ${isDiscussionReadable("d", "g", "m")} and ${notBlockedOrMuted(viewer)}
  order by rs.read_at desc, d.id ${limit(MAX_READS)}`;

/** SQL: at most twelve of the longer title words of `d`, without stop words of the supported languages. */
const significantWords = sql<string[]>`array(
  select lexeme from unnest(to_tsvector('simple', d.title))
  where char_length(lexeme) between 4 and 40 and lexeme !~ '[^[:alnum:]]' and not exists (
    select
    from unnest(array['english_stem', 'german_stem', 'french_stem', 'spanish_stem',
      'arabic_stem']::regdictionary[]) known where ts_lexize(known, lexeme) = '{}')
  order by positions[1] limit 12)`;

const notBlockedOrMuted = (viewer: SignedIn) =>
  sql`d.author_id <> all(${blockerIds(viewer)}) and d.author_id <> all(${blockedIds(viewer)})
    and d.author_id <> all(${mutedIds(viewer)})`;

/** SQL: discussions related to the discussion `read`. */
const relatedDiscussions = (viewer: SignedIn, now: Date) => sql`
  select d.id, d.title, d.language, g.name as "groupName", d.last_post_at as "lastPostAt"
  from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")},
    lateral (select ${sharedWordCount(sql`read.words`, "d")} as words) alike,
    lateral (select count(*) as tags from unnest(d.tags) tag where tag = any(read.tags)) common
  where d.state = 'open' and d.id <> read.id and d.last_post_at > ${addMilliseconds(now, -ACTIVITY_PERIOD)}
    and ${isDiscussionReadable("d", "g", "m")} and ${notBlockedOrMuted(viewer)}
    and d.author_id <> ${viewer.id}
    and (common.tags > 0 or alike.words >= greatest(1, ceil(cardinality(read.words) / 3.0)))
    and not exists (select from read_positions rs
      where rs.person_id = ${viewer.id} and rs.discussion_id = d.id
        and (rs.last_read_number > 0 or rs.level = 'muted'))
    and d.id = any(array(
      select id from discussions where state = 'open' and (tags && read.tags
        or to_tsvector('simple', title) @@ to_tsquery('simple',
          array_to_string(array(select word || ':*' from unnest(read.words) word), ' | ')))
      order by last_post_at desc, id desc ${limit(MAX_COMPARED)}))
  order by common.tags + alike.words desc, d.last_post_at desc, d.id desc ${limit(MAX_RELATED)}`;
