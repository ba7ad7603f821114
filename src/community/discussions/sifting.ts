import type { Db } from "#platform/database";
import { type FilterFacts, sifted, type Viewer } from "#community/rules";
import type { Page } from "#community/common";
import { topDiscussions, type TopQuery, type TopRow, TOP } from "./liveliest.ts";
import { asPage, latestDiscussions, TO_CATCH_UP, type ToCatchUp, unreadRows } from "./lists.ts";
import type { DiscussionRow } from "./rows.ts";

type Sifted<Row> = Row & { filtered?: string };

/** What the viewer's filters hide makes room: so far down it is looked for what comes up instead. As far as badges count. */
const LOOKED_THROUGH = 100;
const LOOKED_THROUGH_ON_TOP = 50;

const title = (row: DiscussionRow) => row.title;
const hide = (filters: FilterFacts[]) => filters.some(({ action }) => action === "hide");

/**
 * What the viewer's filters leave of what there is to catch up with, ten at most; `first` are the ten that come first, null where only
 * the count is wanted.
 * `count` is how many are left in all, a hundred at most; null where nothing is hidden, so that all that is unread counts.
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

/** The same of a page of the latest, `first`, which is filled with what comes after; it may be short where almost everything is hidden. */
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

/** The same of the liveliest, whose beginnings are looked at, too. */
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
