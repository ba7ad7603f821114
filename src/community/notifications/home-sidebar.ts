import { type Db, one, sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { introductionsDiscussion } from "#community/discussions";
import { filterRows, onlineFriends } from "#community/friends";
import {
  type FeaturedResource,
  featuredResourceRows,
  newestResourceRows,
  type ResourceCard,
} from "#community/resources";
import type { FilterFacts, SignedIn } from "#community/rules";
import { jsonList, type PendingTasks, pendingTaskColumns } from "./badges.ts";

export type HomeSidebar = {
  waiting: PendingTasks;
  shelf: ResourceCard[];
  featured: FeaturedResource[];
  filters: FilterFacts[];
  here: PersonCard[];
  introductions: string | null;
};
const MAX_RESOURCES = 4;

/**
 * The home page besides discussions: pending tasks, new resources, online friends, filters, and the
 * introductions discussion named in the settings. One query.
 */
export async function getHomeSidebar(
  db: Db,
  viewer: SignedIn,
  now: Date,
  setting = "",
): Promise<HomeSidebar> {
  const { shelf, featured, filters, here, introductions, ...waiting } = await one(
    db,
    sql<
      PendingTasks & {
        shelf: ResourceCard[];
        featured: FeaturedResource[];
        filters: FilterFacts[] | null;
        here: PersonCard[];
        introductions: string | null;
      }
    >`
      select ${pendingTaskColumns(viewer)}, ${filterRows(viewer, "home")} as filters,
        ${setting === "" ? sql`null` : introductionsDiscussion(viewer, setting)} as introductions,
        ${jsonList(onlineFriends(viewer, now))} as here,
        ${jsonList(sql`select row_to_json(r) as it from (${newestResourceRows(viewer, MAX_RESOURCES)}) r`)}
          as shelf,
        ${jsonList(sql`select row_to_json(r) as it from (${featuredResourceRows(viewer)}) r`)} as featured`,
  );
  return {
    waiting: {
      ...waiting,
      friendRequests: waiting.friendRequests.map(parseDate),
      groupInvitations: waiting.groupInvitations.map(parseDate),
    },
    shelf: shelf.map((card) => ({
      ...card,
      createdAt: new Date(card.createdAt),
      updatedAt: card.updatedAt && new Date(card.updatedAt),
    })),
    featured,
    filters: filters ?? [],
    here,
    introductions,
  };
}

/** Times in JSON are text. */
const parseDate = <T extends { at: Date }>(it: T): T => ({ ...it, at: new Date(it.at) });
