import { sql } from "#platform/database";
import { type PollFacts, pollRules, type Viewer } from "#community/rules";

export type PollView = {
  several: boolean;
  results: PollFacts["results"];
  closesAt: Date | null;
  closed: boolean;
  /** Number of voters; null while the viewer may not see the results. */
  voters: number | null;
  options: { position: number; text: string; mine: boolean; votes: number | null }[];
};
/** The complete row from the database. It must not reach the viewer: only `toPollView` may use it. */
export type PollRow = {
  most: number;
  results: PollFacts["results"];
  closesAt: string | null;
  now: string;
  voters: number;
  options: { position: number; text: string; mine: boolean; votes: number }[];
};

/** Polls of these posts with their counts, as the column `it` beside the post's `id`. */
export const pollRows = (viewer: Viewer, posts: ReturnType<typeof sql>) => sql`
  select y.post_id as id, json_build_object('most', y.most, 'results', y.results, 'closesAt', y.closes_at,
    'now', now(),
     'voters', (select count(distinct v.person_id) from poll_votes v where v.post_id = y.post_id),
     'options',
     (select json_agg(json_build_object('position', o.position, 'text', o.text, 'votes', coalesce(c.votes, 0),
       'mine', coalesce(c.mine, false)) order by o.position)
        from poll_options o left join (
          select v.position, count(*) as votes, bool_or(v.person_id = ${viewer.id}::uuid) as mine
          from poll_votes v where v.post_id = y.post_id group by v.position
        ) c using (position) where o.post_id = y.post_id)) as it
  from polls y where y.post_id = any(${posts})`;

/**
 * A poll as the viewer may see it: without the choices of voters, and with results only if the poll's
 * settings allow it.
 */
export function toPollView({
  most,
  now: read,
  closesAt: until,
  results,
  voters,
  options,
}: PollRow): PollView {
  const now = new Date(read);
  const facts = { results, closesAt: until === null ? null : new Date(until) };
  const showsResults = pollRules.seeResults(
    facts,
    options.some(({ mine }) => mine),
    now,
  );
  return {
    ...facts,
    several: most > 1,
    closed: pollRules.closed(facts, now),
    voters: showsResults ? voters : null,
    options: showsResults ? options : options.map((it) => ({ ...it, votes: null })),
  };
}
