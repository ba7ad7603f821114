import { type Db, one, sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { introductionsAt } from "#community/discussions";
import { filtersFor, friendsHere } from "#community/friends";
import { type Featured, featuredResources, newestResources, type ResourceCard } from "#community/resources";
import type { FilterFacts, SignedIn } from "#community/rules";
import { listOf, type Waiting, waitingColumns } from "./badges.ts";

export type BesideHome = {
  waiting: Waiting;
  shelf: ResourceCard[];
  featured: Featured[];
  filters: FilterFacts[];
  here: PersonCard[];
  introductions: string | null;
};
const SHELF = 4;

/**
 * The home page besides discussions: pending tasks, new resources, online friends, filters, and the
 * introductions discussion named in the settings. One query.
 */
export async function besideHome(db: Db, viewer: SignedIn, now: Date, setting = ""): Promise<BesideHome> {
  const { shelf, featured, filters, here, introductions, ...waiting } = await one(
    db,
    sql<
      Waiting & {
        shelf: ResourceCard[];
        featured: Featured[];
        filters: FilterFacts[] | null;
        here: PersonCard[];
        introductions: string | null;
      }
    >`
      select ${waitingColumns(viewer)}, ${filtersFor(viewer, "home")} as filters, ${setting === "" ? sql`null` : introductionsAt(viewer, setting)} as introductions, ${listOf(friendsHere(viewer, now))} as here,
        ${listOf(sql`select row_to_json(r) as it from (${newestResources(viewer, SHELF)}) r`)} as shelf,
        ${listOf(sql`select row_to_json(r) as it from (${featuredResources(viewer)}) r`)} as featured`,
  );
  return {
    waiting: { ...waiting, friendRequests: waiting.friendRequests.map(asked), groupInvitations: waiting.groupInvitations.map(asked) },
    shelf: shelf.map((card) => ({ ...card, createdAt: new Date(card.createdAt), updatedAt: card.updatedAt && new Date(card.updatedAt) })),
    featured,
    filters: filters ?? [],
    here,
    introductions,
  };
}

/** Times in JSON are text. */
const asked = <T extends { at: Date }>(it: T): T => ({ ...it, at: new Date(it.at) });
