import type { Db } from "#platform/database";
import { type FilterFacts, sifted, type Viewer } from "#community/rules";
import { topDiscussions, type TopQuery, type TopRow, TOP } from "./liveliest.ts";
import { TO_CATCH_UP, type ToCatchUp, unreadRows } from "./lists.ts";

type Sifted<Row> = Row & { filtered?: string };

/** What the viewer's filters hide makes room: so far down it is looked for what comes up instead. As far as badges count. */
const LOOKED_THROUGH = 100;
const LOOKED_THROUGH_ON_TOP = 50;

const hide = (filters: FilterFacts[]) => filters.some(({ action }) => action === "hide");

/**
 * What the viewer's filters leave of what there is to catch up with, ten at most; `first` are the ten that come first.
 * `count` is how many are left in all, a hundred at most; null where nothing is hidden, so that all that is unread counts.
 */
export async function siftedToCatchUp(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  first: ToCatchUp[],
): Promise<{ rows: Sifted<ToCatchUp>[]; count: number | null }> {
  const title = (row: ToCatchUp) => row.title;
  if (!hide(filters)) return { rows: sifted(filters, first, title), count: null };
  const all = first.length < TO_CATCH_UP ? first : await unreadRows(db, viewer, LOOKED_THROUGH);
  const left = sifted(filters, all, title);
  return { rows: left.slice(0, TO_CATCH_UP), count: left.length };
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
