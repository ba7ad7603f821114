import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import {
  encodeCursor,
  type Page,
  type PersonCard,
  personColumns,
  readCursor,
  toPage,
  andIfGiven,
} from "#community/common";
import { blockerIds } from "#community/friends";
import { viewerMembership } from "#community/groups";
import {
  type DatePollAnswerName,
  groupRules,
  LIMITS,
  SERVER_LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import {
  type DatePoll,
  isDatePollOpen,
  type DatePollTime,
  isDatePollVisible,
  joinAnswerer,
  selectDatePoll,
} from "./date-poll-columns.ts";

/**
 * A date poll with its times.
 * @throws `not-found` for a missing poll and for one the viewer may not see
 */
export async function getDatePoll(db: Db, viewer: Viewer, id: string): Promise<DatePoll> {
  if (!isId(id)) throw notFound();
  const [poll, times] = await Promise.all([
    maybeOne(db, sql<Omit<DatePoll, "times">>`${selectDatePoll(viewer)} and dp.id = ${id}`),
    many(db, selectTimes(viewer, id)),
  ]);
  if (!poll) throw notFound();
  return { ...poll, times: markBestTimes(times) };
}

/** Like `getDatePoll`, for commands: the poll is locked, so that no answer comes after the decision. */
export async function getDatePollForUpdate(tx: Tx, me: SignedIn, id: string): Promise<DatePoll> {
  await run(tx, sql`select from date_polls where id = ${id} for no key update`);
  return getDatePoll(tx, me, id);
}

const selectTimes = (viewer: Viewer, pollId: string) => sql<Omit<DatePollTime, "isBest">>`
  select t.id, t.starts_at as "startsAt", t.ends_at as "endsAt", t.event_id is not null as "isChosen",
    count(*) filter (where it.answer = 'yes')::int as yes,
    count(*) filter (where it.answer = 'if_need_be')::int as "ifNeedBe",
    count(*) filter (where it.answer = 'no')::int as no,
    max(it.answer) filter (where it.person_id = ${viewer.id}::uuid) as answer
  from date_poll_times t join date_polls dp on dp.id = t.poll_id
  left join lateral (
    select a.person_id, a.answer from date_poll_answers a ${joinAnswerer} where a.time_id = t.id) it on true
  where t.poll_id = ${pollId} group by t.id order by t.starts_at`;

/** Marks the times that suit most people; of these, only the times with the most `yes` answers. */
function markBestTimes(times: Omit<DatePollTime, "isBest">[]): DatePollTime[] {
  const score = ({ yes, ifNeedBe }: Omit<DatePollTime, "isBest">) => (yes + ifNeedBe) * 1e6 + yes;
  const best = Math.max(...times.map(score));
  return times.map((time) => ({ ...time, isBest: best > 0 && score(time) === best }));
}

/** A person's answers by the id of the time. */
export type DatePollAnswers = PersonCard & {
  answers: Record<string, DatePollAnswerName>;
  answeredAt: Date;
};

/** People who answered a poll that the viewer sees, the first ones first. */
export async function listDatePollAnswers(
  db: Db,
  viewer: Viewer,
  poll: Pick<DatePoll, "id" | "group">,
  { after }: { after?: string | undefined } = {},
): Promise<Page<DatePollAnswers>> {
  const cursor = readCursor(after, ["time", "id"]);
  const rows = await many(
    db,
    sql<DatePollAnswers>`
      select * from (
        select ${personColumns("p")}, json_object_agg(a.time_id, a.answer) as answers,
          min(a.answered_at) as "answeredAt"
        from date_polls dp join date_poll_times t on t.poll_id = dp.id
        join date_poll_answers a on a.time_id = t.id ${joinAnswerer}
        where dp.id = ${poll.id}
          and p.id <> all(${blockerIds(viewer, groupRules.pastBlocks(viewer, poll.group))})
        group by p.id) it
      where true
        ${andIfGiven(cursor, ([at, id]) => sql`(it."answeredAt", it.id) > (${at}, ${id}::uuid)`)}
      order by it."answeredAt", it.id ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.answeredAt, last.id));
}

/** An open date poll as a list row. */
export type DatePollRow = Pick<DatePoll, "id" | "title" | "closesAt"> & {
  group: { slug: string; name: string };
  /** Number of proposed times. */
  timesCount: number;
  /** Number of members who answered. */
  answersCount: number;
  /** Whether the viewer answered. */
  isAnswered: boolean;
};

/** Open date polls in the viewer's groups, or in one of them, the latest first. */
export const listOpenDatePolls = (
  db: Db,
  viewer: Viewer,
  /** `group` is the id of a group. */
  { now, group }: { now: Date; group?: string | undefined },
): Promise<DatePollRow[]> =>
  many(
    db,
    sql<DatePollRow>`
      select dp.id, dp.title, dp.closes_at as "closesAt",
        json_build_object('slug', g.slug, 'name', g.name) as "group",
        (select count(*)::int from date_poll_times t where t.poll_id = dp.id) as "timesCount",
        (select count(distinct p.id)::int from date_poll_times t
          join date_poll_answers a on a.time_id = t.id ${joinAnswerer}
          where t.poll_id = dp.id) as "answersCount",
        exists (select from date_poll_times t join date_poll_answers a on a.time_id = t.id
          where t.poll_id = dp.id and a.person_id = ${viewer.id}::uuid) as "isAnswered"
      from date_polls dp join groups g on g.id = dp.group_id ${viewerMembership(viewer, "g", "m")}
      where ${isDatePollVisible("dp", "g", "m")} and ${isDatePollOpen("dp", now)}
        ${andIfGiven(group, (id) => sql`dp.group_id = ${id}::uuid`)}
      order by dp.created_at desc, dp.id desc ${limit(SERVER_LIMITS.datePolls.listed)}`,
  );
