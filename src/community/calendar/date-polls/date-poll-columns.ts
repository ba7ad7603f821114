import { sql } from "#platform/database";
import { isAccountUnlisted, type PersonCard } from "#community/common";
import { blockerIds, visiblePersonCard } from "#community/friends";
import { groupFactsJson, isGroupModerator, isReadableAsMember, viewerMembership } from "#community/groups";
import type { DatePollAnswerName, DatePollFacts, GroupFacts, Viewer } from "#community/rules";
import { isEventVisible } from "../event-columns.ts";

/** A time of a date poll, with the numbers of answers of all members and the viewer's answer. */
export type DatePollTime = {
  id: string;
  startsAt: Date;
  endsAt: Date;
  yes: number;
  ifNeedBe: number;
  no: number;
  answer: DatePollAnswerName | null;
  /** Whether no other time suits more people. */
  isBest: boolean;
  /** Whether this time was chosen for the event. */
  isChosen: boolean;
};

/** A date poll as the viewer sees it, with the facts for `datePollRules`. */
export type DatePoll = Omit<DatePollFacts, "group"> & {
  id: string;
  title: string;
  timeZone: string;
  allDay: boolean;
  group: GroupFacts & { id: string; slug: string; name: string; membersCount: number };
  host: PersonCard | null;
  createdAt: Date;
  /** The event that was created from the poll; null if there is none or the viewer cannot see it. */
  eventId: string | null;
  /** The viewer has an unread notification about the poll. */
  isNotified: boolean;
  times: DatePollTime[];
};

/** SQL equivalent of `datePollRules.see`. */
export const isDatePollVisible = (poll: string, group: string, membership: string) => sql<boolean>`
  (${sql.ref(group)}.state <> 'deleted'
    and ${isReadableAsMember(sql.ref(`${poll}.ends_at`), group, membership)})`;

/** SQL equivalent of `datePollRules.isOpen`. */
export const isDatePollOpen = (poll: string, now: Date) => {
  const dp = sql.ref(poll);
  return sql<boolean>`(${dp}.closed_at is null and ${dp}.ends_at > ${now}
    and (${dp}.closes_at is null or ${dp}.closes_at > ${now}))`;
};

/** Joins the poll `dp` and the person `p` of the answer `a`. Answers of former members are left out. */
export const joinAnswerer = sql`
  join people p on p.id = a.person_id and not ${isAccountUnlisted("p")}
  join memberships am on am.group_id = dp.group_id and am.person_id = p.id and am.state = 'member'`;

/** Selects date polls `dp` that the viewer may see, without their times. The caller appends conditions. */
export const selectDatePoll = (viewer: Viewer) => sql<Omit<DatePoll, "times">>`
  select dp.id, dp.title, dp.time_zone as "timeZone", dp.all_day as "allDay", dp.ends_at as "endsAt",
    dp.closes_at as "closesAt", dp.closed_at as "closedAt", dp.created_at as "createdAt",
    ${groupFactsJson("g", "m")} as "group",
    case when dp.host_id <> all(${blockerIds(viewer, isGroupModerator("m"))}) then dp.host_id end as "hostId",
    ${visiblePersonCard(viewer, "host", isGroupModerator("m"))} as host,
    chosen.event_id is not null as "isDecided",
    (select e.id from calendar_events e where e.id = chosen.event_id and ${isEventVisible("e", "g", "m")})
      as "eventId",
    exists (select from notifications n where n.object_id = dp.id and n.person_id = ${viewer.id}::uuid
      and n.read_at is null and n.withdrawn_at is null) as "isNotified"
  from date_polls dp join groups g on g.id = dp.group_id ${viewerMembership(viewer, "g", "m")}
  left join people host on host.id = dp.host_id
  left join date_poll_times chosen on chosen.poll_id = dp.id and chosen.event_id is not null
  where ${isDatePollVisible("dp", "g", "m")}`;
