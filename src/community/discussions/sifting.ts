import type { Db } from "#platform/database";
import { type FilterFacts, sifted, type Viewer } from "#community/rules";
import type { Page } from "#community/common";
import { topDiscussions, type TopQuery, type TopRow, TOP } from "./liveliest.ts";
import { asPage, latestDiscussions, TO_CATCH_UP, type ToCatchUp, unreadRows } from "./lists.ts";
import type { DiscussionRow } from "./rows.ts";

type Sifted<Row> = Row & { filtered?: string };

/** Filtered rows are replaced by later ones; this many are examined, as many as badges count. */
const LOOKED_THROUGH = 100;
const LOOKED_THROUGH_ON_TOP = 50;

const title = (row: DiscussionRow) => row.title;
const hide = (filters: FilterFacts[]) => filters.some(({ action }) => action === "hide");

/**
 * Unread discussions without those the viewer's filters hide, at most ten; `first` is the first page, null if
 * only the count is wanted. `count` is the number left, at most a hundred; null if nothing is hidden.
 */
export async function siftedToCatchUp(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  first: ToCatchUp[] | null,
): Promise<{ rows: Sifted<ToCatchUp>[]; count: number | null }> {
  if (!hide(filters)) return { rows: sifted(filters, first ?? [], title), count: null };
  const all = first && first.length < TO_CATCH_UP ? first : await unreadRows(db, viewer, LOOKED_THROUGH);
  const left = sifted(filters, all, title);
  return { rows: left.slice(0, TO_CATCH_UP), count: left.length };
}

/**
 * The same for a page of the latest, `first`, refilled with later rows; it may be short if almost all are
 * hidden.
 */
export async function siftedLatest(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  first: Page<DiscussionRow>,
): Promise<Page<Sifted<DiscussionRow>>> {
  const left = sifted(filters, first.rows, title);
  let page = first;
  for (let looked = page.rows.length; page.next && left.length < first.rows.length && looked < LOOKED_THROUGH; looked += page.rows.length) {
    page = await latestDiscussions(db, viewer, { after: page.next });
    left.push(...sifted(filters, page.rows, title));
  }
  const filled = asPage(left);
  return filled.next ? filled : { rows: left, next: page.next };
}

/** The same for the top discussions, whose excerpts are filtered too. */
export async function siftedTop(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  { first, ...query }: TopQuery & { first: TopRow[] },
): Promise<Sifted<TopRow>[]> {
  const words = (row: TopRow) => `${row.title} ${row.excerpt}`;
  const left = sifted(filters, first, words);
  if (first.length < TOP || left.length === first.length) return left;
  return sifted(filters, await topDiscussions(db, viewer, { ...query, most: LOOKED_THROUGH_ON_TOP }), words).slice(0, TOP);
}
