import { sql } from "#platform/database";
import { isAccountUnlisted } from "#community/common";
import {
  isEventHost,
  isEventManageable,
  isEventPlaceVisible,
  isEventVisible,
  visibleEventHosts,
} from "#community/calendar";
import { isDiscussionVisible } from "#community/discussions";
import { viewerMembership } from "#community/groups";
import { isSignedIn, type Viewer } from "#community/rules";
import { isOwnerBlocked, unlessOwnerBlocked } from "./blocked-owners.ts";
import {
  type ApiEntity,
  booleanColumn,
  columnRef,
  commonColumns,
  compoundIdColumn,
  dateColumn,
  idColumn,
  intColumn,
  jsonColumn,
  type SqlFragment,
  stringColumn,
  toMany,
  toOne,
} from "./entity.ts";

/** Condition: the event `e` of the group `g` exists and `holds` is true. `m` is the viewer's membership. */
const eventExists = (viewer: Viewer, id: SqlFragment, holds: SqlFragment): SqlFragment => sql`exists (
  select from calendar_events e join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
  where e.id = ${id} and ${holds})`;

const eventVisible = (viewer: Viewer, id: SqlFragment): SqlFragment =>
  eventExists(viewer, id, isEventVisible("e", "g", "m"));

/** The place, which a hidden description hides. */
const eventPlace = (viewer: Viewer, alias: string): SqlFragment =>
  sql`case when ${eventExists(
    viewer,
    columnRef(alias, "object_id"),
    isEventPlaceVisible(viewer, "e", "g", "m"),
  )} then ${columnRef(alias, "place")} end`;

const ownAnswer = (viewer: Viewer, alias: string): SqlFragment =>
  sql`(select a.answer from attendances a where a.occurrence_id = ${columnRef(alias, "occurrence_id")}
    and a.person_id = ${viewer.id}::uuid)`;

/** SQL equivalent of `calendarRules.seeOnlineLink`; a hidden description hides the link as well. */
const onlineUrl = (viewer: Viewer, alias: string): SqlFragment =>
  sql`case when ${eventExists(viewer, columnRef(alias, "object_id"), isEventHost(viewer, "e"))}
    or (${ownAnswer(viewer, alias)} = 'going' and ${eventExists(
      viewer,
      columnRef(alias, "object_id"),
      isEventPlaceVisible(viewer, "e", "g", "m"),
    )}) then ${columnRef(alias, "online_url")} end`;

/** Ids of the hosts whom the viewer may know. */
const hostIds = (viewer: Viewer, alias: string): SqlFragment =>
  sql`(select coalesce(jsonb_agg(host->'id'), '[]') from calendar_events e
    join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
    cross join lateral json_array_elements(${visibleEventHosts(viewer, "e", "m")}) host
    where e.id = ${columnRef(alias, "object_id")})`;

const readableDiscussionId = (viewer: Viewer, alias: string): SqlFragment =>
  sql`case when exists (
    select from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
    where d.id = ${columnRef(alias, "discussion_id")} and ${isDiscussionVisible(viewer, "d", "g", "m")})
    then ${columnRef(alias, "discussion_id")} end`;

export const Events: ApiEntity = {
  name: "Events",
  view: "events",
  about:
    "Events in the calendars of groups, one for each date of a series. The description is the first post of the " +
    "discussion `discussionId`. `answer` is your own; `onlineUrl` is visible to hosts and to people who are " +
    "going. `hostIds` are the hosts whom you may know.",
  columns: [
    ...commonColumns(idColumn("objectId"), unlessOwnerBlocked),
    idColumn("groupId"),
    stringColumn("title"),
    stringColumn("state"),
    stringColumn("reason"),
    dateColumn("startsAt"),
    dateColumn("endsAt"),
    booleanColumn("allDay"),
    stringColumn("timeZone"),
    stringColumn("place", eventPlace),
    stringColumn("onlineUrl", onlineUrl),
    intColumn("capacity"),
    intColumn("companions"),
    dateColumn("answersUntil"),
    idColumn("seriesId"),
    stringColumn("seriesDate"),
    idColumn("discussionId", readableDiscussionId),
    idColumn("occurrenceId"),
    intColumn("changes"),
    intColumn("going"),
    intColumn("maybe"),
    intColumn("waiting"),
    stringColumn("answer", ownAnswer),
    jsonColumn("hostIds", hostIds),
  ],
  relations: [
    toOne("group", "Groups", "group_id"),
    toOne("host", "Users", "owner_id"),
    toOne("discussion", "Discussions", "discussion_id"),
    toMany("attendances", "Attendances", "event_id"),
  ],
  visible: (viewer, alias) => eventVisible(viewer, columnRef(alias, "object_id")),
};

const isOwnAnswer = (viewer: Viewer, alias: string): SqlFragment =>
  sql`(${columnRef(alias, "person_id")} is not distinct from ${viewer.id}::uuid)`;

/** SQL equivalent of `calendarRules.seeNotes` for an event that the viewer can see. */
const managesEvent = (viewer: Viewer, alias: string): SqlFragment =>
  isSignedIn(viewer)
    ? eventExists(viewer, columnRef(alias, "event_id"), isEventManageable(viewer, "e", "g", "m"))
    : sql`false`;

/**
 * Whether the page of the event lists the person `person_id` for this viewer, unless they declined.
 * `listAttendees` has the same conditions.
 */
export const isAttendeeListed = (viewer: Viewer, alias: string): SqlFragment => sql`(
  ${isSignedIn(viewer)}::boolean and ${eventVisible(viewer, columnRef(alias, "event_id"))}
  and not ${isOwnerBlocked(viewer, alias)} and not exists (
    select from people p where p.id = ${columnRef(alias, "person_id")} and ${isAccountUnlisted("p")}))`;

export const Attendances: ApiEntity = {
  name: "Attendances",
  view: "attendances",
  about:
    "Answers to events, for signed-in readers. Notes and check-ins are visible to hosts and moderators, and " +
    "so are the people who declined. `created` is the time of the answer. Everyone sees their own answers.",
  columns: [
    ...commonColumns(compoundIdColumn(["occurrence_id", "id"], ["person_id", "id"])),
    idColumn("personId"),
    idColumn("eventId"),
    idColumn("occurrenceId"),
    idColumn("groupId"),
    stringColumn("answer"),
    intColumn("companions"),
    stringColumn(
      "note",
      (viewer, alias) => sql`case when ${isOwnAnswer(viewer, alias)} or ${managesEvent(viewer, alias)}
        then ${columnRef(alias, "note")} end`,
    ),
    dateColumn(
      "checkedInAt",
      (viewer, alias) =>
        sql`case when ${managesEvent(viewer, alias)} then ${columnRef(alias, "checked_in_at")} end`,
    ),
    booleanColumn("mine", isOwnAnswer),
  ],
  relations: [
    toOne("event", "Events", "event_id"),
    toOne("group", "Groups", "group_id"),
    toOne("person", "Users", "person_id"),
  ],
  visible: (viewer, alias) =>
    isSignedIn(viewer)
      ? sql`((${isOwnAnswer(viewer, alias)} and ${eventVisible(viewer, columnRef(alias, "event_id"))})
          or (${isAttendeeListed(viewer, alias)}
            and (${columnRef(alias, "answer")} <> 'declined' or ${managesEvent(viewer, alias)})))`
      : sql`false`,
};
