import { type Db, one, sql } from "#platform/database";
import { type OccurrenceRow, upcomingGroupEvents } from "#community/calendar";
import type { PersonCard } from "#community/common";
import { introductionsDiscussion } from "#community/discussions";
import { wordFilterRows, onlineFriendRows } from "#community/friends";
import {
  type FeaturedResource,
  featuredResourceRows,
  newestResourceRows,
  type ResourceCard,
} from "#community/resources";
import type { FilterFacts, SignedIn } from "#community/rules";
import { jsonList, type PendingTasks, pendingTaskColumns } from "./badges.ts";

export type UpcomingEvent = Pick<
  OccurrenceRow,
  "id" | "eventId" | "title" | "startsAt" | "allDay" | "timeZone" | "cancelledAt"
>;
export type HomeSidebar = {
  waiting: PendingTasks;
  newResources: ResourceCard[];
  featured: FeaturedResource[];
  /** The next events of the viewer's groups. */
  events: UpcomingEvent[];
  filters: FilterFacts[];
  onlineFriends: PersonCard[];
  introductions: string | null;
  isInGroup: boolean;
};
const MAX_RESOURCES = 4;
const MAX_EVENTS = 4;

/**
 * Data of the home page without its discussions: pending tasks, new resources, coming events, online friends,
 * filters, whether the viewer is in a group, and the introductions discussion from the settings. One query.
 */
export async function getHomeSidebar(
  db: Db,
  viewer: SignedIn,
  now: Date,
  setting = "",
): Promise<HomeSidebar> {
  const { newResources, featured, events, filters, onlineFriends, introductions, isInGroup, ...waiting } =
    await one(
      db,
      sql<
        PendingTasks & {
          newResources: ResourceCard[];
          featured: FeaturedResource[];
          events: UpcomingEvent[];
          filters: FilterFacts[] | null;
          onlineFriends: PersonCard[];
          introductions: string | null;
          isInGroup: boolean;
        }
      >`
      select ${pendingTaskColumns(viewer)}, ${wordFilterRows(viewer, "home")} as filters,
        ${setting === "" ? sql`null` : introductionsDiscussion(viewer, setting)} as introductions,
        exists (select from memberships m join groups g on g.id = m.group_id
          where m.person_id = ${viewer.id} and m.state = 'member' and g.state <> 'deleted') as "isInGroup",
        ${jsonList(onlineFriendRows(viewer, now))} as "onlineFriends",
        ${jsonList(sql`select row_to_json(r) as it from (${newestResourceRows(viewer, MAX_RESOURCES)}) r`)}
          as "newResources",
        ${jsonList(sql`select row_to_json(r) as it from (${featuredResourceRows(viewer)}) r`)} as featured,
        ${jsonList(sql`select row_to_json(r) as it from (
          select id, "eventId", title, "startsAt", "allDay", "timeZone", "cancelledAt"
          from (${upcomingGroupEvents(viewer, now, MAX_EVENTS)}) e) r`)} as events`,
    );
  return {
    waiting: {
      ...waiting,
      friendRequests: waiting.friendRequests.map(parseDate),
      groupInvitations: waiting.groupInvitations.map(parseDate),
    },
    newResources: newResources.map((card) => ({
      ...card,
      createdAt: new Date(card.createdAt),
      updatedAt: card.updatedAt && new Date(card.updatedAt),
    })),
    featured,
    events: events.map((event) => ({
      ...event,
      startsAt: new Date(event.startsAt),
      cancelledAt: event.cancelledAt && new Date(event.cancelledAt),
    })),
    filters: filters ?? [],
    onlineFriends,
    introductions,
    isInGroup,
  };
}

/** Converts the time, which is text in JSON, to a date. */
const parseDate = <T extends { at: Date }>(it: T): T => ({ ...it, at: new Date(it.at) });
