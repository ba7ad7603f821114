import { sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { blockerIds } from "#community/friends";
import {
  canModerateGroup,
  isContentReadable,
  groupFactsJson,
  isGroupModerator,
  viewerMembership,
} from "#community/groups";
import { isDiscussionVisible } from "#community/discussions";
import type { AttendanceAnswer, CalendarEventFacts, GroupFacts, Viewer, Visibility } from "#community/rules";
import { isEventHost, visibleHosts } from "./hosts/host-columns.ts";

/** An occurrence as a list row. */
export type OccurrenceRow = {
  id: string;
  eventId: string;
  title: string;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  timeZone: string;
  place: string;
  cancelledAt: Date | null;
  postponedAt: Date | null;
  /** Id of its series; null for an event that does not repeat. */
  seriesId: string | null;
  group: { id: string; slug: string; name: string; visibility: Visibility };
  capacity: number | null;
  /** Number of people who are going, companions included. */
  going: number;
  /** Answer of the viewer; null if they have none. */
  answer: AttendanceAnswer | null;
  /** Name of the subscribed calendar that the event comes from; empty if it has none, null for other events. */
  calendar: string | null;
};

/** An event as the viewer sees it, with the facts for `calendarRules`. */
export type CalendarEvent = Omit<CalendarEventFacts, "group"> &
  Omit<OccurrenceRow, "id" | "eventId" | "group"> & {
    id: string;
    occurrenceId: string;
    group: GroupFacts & { id: string; slug: string; name: string; membersCount: number };
    /** Id of the first host; null if they block the viewer. */
    hostId: string | null;
    /** Hosts whom the viewer may know. Empty if no host is in the group any more. */
    hosts: PersonCard[];
    /** Null unless the viewer is going or is a host. */
    onlineUrl: string | null;
    /** Maximum number of companions per person. */
    companionsAllowed: number;
    /** Number of edits so far. */
    changes: number;
    /** Its date according to the rule of its series, such as `2026-12-03`. */
    seriesDate: string | null;
    createdAt: Date;
    cancelledReason: string;
    postponedReason: string;
    /** The discussion and the post in it that describes the event; null where the viewer cannot read it. */
    description: { discussionId: string; postId: string; replies: number } | null;
    maybe: number;
    waiting: number;
    /** Number of people who have come, companions included. */
    checkedIn: number;
    companions: number;
    note: string;
    /** The viewer has an unread notification about the event. */
    isNotified: boolean;
    /** The viewer's position in the waiting list, from 1. */
    position: number | null;
    /** Description from a calendar file, as plain text; empty for other events. */
    importedText: string;
  };

/** SQL equivalent of `calendarRules.see`. */
export const isEventVisible = (event: string, group: string, membership: string) =>
  isContentReadable(event, "ends_at", group, membership);

/**
 * Whether the viewer sees place and link of the event. While its description is hidden or removed, only hosts
 * and moderators do.
 */
export const isPlaceVisible = (viewer: Viewer, event: string, group: string, membership: string) => {
  const e = sql.ref(event);
  return sql<boolean>`
  (not exists (select from posts where id = ${e}.post_id and state in ('hidden', 'removed'))
    or ${isEventHost(viewer, event)} or ${isGroupModerator(membership)}
    or ${canModerateGroup(viewer, group, membership)})`;
};

/** SQL equivalent of `calendarRules.manage` for an event that the viewer can see. */
export const isEventManageable = (viewer: Viewer, event: string, group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  const isHost = sql`${isEventHost(viewer, event)} and not ${viewer.limited}::boolean`;
  return sql<boolean>`(${canModerateGroup(viewer, group, membership)}
    or (${isHost} and ${g}.state = 'active' and coalesce(${m}.state = 'member', false)))`;
};

/** The link, for people who are going and for hosts. */
const onlineUrlColumn = (viewer: Viewer) => sql<string | null>`
  case when (a.answer = 'going' and ${isPlaceVisible(viewer, "e", "g", "m")})
    or ${isEventHost(viewer, "e")} then e.online_url end as "onlineUrl"`;

const peopleWith = (answer: AttendanceAnswer) =>
  sql<number>`(select coalesce(sum(1 + t.companions), 0)::int from attendances t
    where t.occurrence_id = o.id and t.answer = ${answer})`;

const fromOccurrences = (viewer: Viewer) => sql`
  from calendar_occurrences o join calendar_events e on e.id = o.event_id
  join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
  left join attendances a on a.occurrence_id = o.id and a.person_id = ${viewer.id}::uuid`;

/** Columns that need no counting. */
const ownColumns = (viewer: Viewer) => sql`
  e.title, o.starts_at as "startsAt", o.ends_at as "endsAt", e.all_day as "allDay",
  e.time_zone as "timeZone", case when ${isPlaceVisible(viewer, "e", "g", "m")} then e.place else '' end as place,
  e.cancelled_at as "cancelledAt",
  e.postponed_at as "postponedAt", e.capacity, e.series_id as "seriesId", a.answer,
  (select s.name from imported_events i join calendar_subscriptions s on s.id = i.subscription_id
    where i.event_id = e.id) as calendar`;

const sharedColumns = (viewer: Viewer) => sql`${ownColumns(viewer)}, ${peopleWith("going")} as going`;

const groupOfRow = sql`
  json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'visibility', g.visibility) as "group"`;

/**
 * Selects occurrences `o` of events `e` with the viewer's attendance `a`. The caller appends conditions.
 */
export const selectOccurrences = (viewer: Viewer) => sql<OccurrenceRow>`
  select o.id, e.id as "eventId", ${sharedColumns(viewer)}, ${groupOfRow}
  ${fromOccurrences(viewer)}
  where ${isEventVisible("e", "g", "m")}`;

/** An occurrence as a calendar shows it. */
export type FeedEvent = Omit<OccurrenceRow, "going"> & {
  changes: number;
  createdAt: Date;
  changedAt: Date;
  /** Null unless the viewer is going or is a host. */
  onlineUrl: string | null;
};

/** Like `selectOccurrences`, for a feed of many: without counts. */
export const selectFeedEvents = (viewer: Viewer) => sql<FeedEvent>`
  select o.id, e.id as "eventId", ${ownColumns(viewer)}, ${groupOfRow}, e.changes, e.created_at as "createdAt",
    coalesce(e.changed_at, e.created_at) as "changedAt", ${onlineUrlColumn(viewer)}
  ${fromOccurrences(viewer)}
  where ${isEventVisible("e", "g", "m")}`;

/** Selects the event of an occurrence as the viewer may see it. The caller appends conditions. */
export const selectEvent = (viewer: Viewer) => sql<CalendarEvent>`
  select e.id, o.id as "occurrenceId", ${sharedColumns(viewer)}, e.audience, ${groupFactsJson("g", "m")} as "group",
    case when e.host_id <> all(${blockerIds(viewer, isGroupModerator("m"))}) then e.host_id end as "hostId",
    ${isEventHost(viewer, "e")} as "isHost", ${visibleHosts(viewer, "e", "m")} as hosts,
    ${onlineUrlColumn(viewer)},
    e.companions as "companionsAllowed", e.answers_until as "answersUntil", e.changes,
    e.series_date::text as "seriesDate",
    e.created_at as "createdAt", e.cancelled_reason as "cancelledReason",
    e.postponed_reason as "postponedReason",
    case when d.id is not null and ${isDiscussionVisible(viewer, "d", "g", "m")}
      then json_build_object('discussionId', d.id, 'postId', p.id, 'replies', d.posts_count - 1)
      end as description,
    ${peopleWith("maybe")} as maybe, ${peopleWith("waiting")} as waiting,
    (select coalesce(sum(1 + t.companions), 0)::int from attendances t
      where t.occurrence_id = o.id and t.checked_in_at is not null) as "checkedIn",
    exists (select from notifications n where n.object_id = e.id and n.person_id = ${viewer.id}::uuid
      and n.read_at is null and n.withdrawn_at is null) as "isNotified",
    coalesce(a.companions, 0) as companions, coalesce(a.note, '') as note,
    case when a.answer = 'waiting' then (select count(*)::int from attendances w
      where w.occurrence_id = o.id and w.waiting_number <= a.waiting_number) end as position,
    coalesce((select i.text from imported_events i where i.event_id = e.id), '') as "importedText"
  ${fromOccurrences(viewer)}
  left join posts p on p.id = e.post_id
  left join discussions d on d.id = p.discussion_id and d.group_id = e.group_id
  where ${isEventVisible("e", "g", "m")}`;
