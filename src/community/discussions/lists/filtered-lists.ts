import type { Db } from "#platform/database";
import { type FilterFacts, applyFilters, type Viewer } from "#community/rules";
import type { Page } from "#community/common";
import { listTopDiscussions, type TopQuery, type TopRow, TOP_COUNT } from "./top-discussions.ts";
import {
  discussionPage,
  listLatestDiscussions,
  MAX_UNREAD_ROWS,
  type UnreadRow,
  listUnreadRows,
} from "./discussion-lists.ts";
import type { DiscussionRow } from "../discussion-columns.ts";

type Filtered<Row> = Row & { filtered?: string };

/** Maximum rows examined to replace filtered ones, equal to the maximum that badges count. */
const SCAN_SIZE = 100;
const SCAN_SIZE_TOP = 50;

const titleText = (row: DiscussionRow) => row.title;
const hasHidingFilter = (filters: FilterFacts[]) => filters.some(({ action }) => action === "hide");

/**
 * Unread discussions without those that the viewer's filters hide, at most ten. `first` is the first page,
 * null if only the count is needed. `count` is the number of remaining discussions, at most a hundred; null
 * if no filter hides anything.
 */
export async function filterUnread(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  first: UnreadRow[] | null,
): Promise<{ rows: Filtered<UnreadRow>[]; count: number | null }> {
  if (!hasHidingFilter(filters)) return { rows: applyFilters(filters, first ?? [], titleText), count: null };
  const all = first && first.length < MAX_UNREAD_ROWS ? first : await listUnreadRows(db, viewer, SCAN_SIZE);
  const left = applyFilters(filters, all, titleText);
  return { rows: left.slice(0, MAX_UNREAD_ROWS), count: left.length };
}

/**
 * Applies filters to `first`, a page of the latest discussions, and fills it with later rows. The result may
 * be short if almost all rows are hidden.
 */
export async function filterLatest(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  first: Page<DiscussionRow>,
): Promise<Page<Filtered<DiscussionRow>>> {
  const left = applyFilters(filters, first.rows, titleText);
  let page = first;
  for (
    let looked = page.rows.length;
    page.next && left.length < first.rows.length && looked < SCAN_SIZE;
    looked += page.rows.length
  ) {
    page = await listLatestDiscussions(db, viewer, { after: page.next });
    left.push(...applyFilters(filters, page.rows, titleText));
  }
  const filled = discussionPage(left);
  return filled.next ? filled : { rows: left, next: page.next };
}

/**
 * Applies filters to the top discussions and their excerpts, and replaces filtered ones by the next in rank.
 */
export async function filterTop(
  db: Db,
  viewer: Viewer,
  filters: FilterFacts[],
  { first, ...query }: TopQuery & { first: TopRow[] },
): Promise<Filtered<TopRow>[]> {
  const words = (row: TopRow) => `${row.title} ${row.excerpt}`;
  const left = applyFilters(filters, first, words);
  if (first.length < TOP_COUNT || left.length === first.length) return left;
  return applyFilters(
    filters,
    await listTopDiscussions(db, viewer, { ...query, most: SCAN_SIZE_TOP }),
    words,
  ).slice(0, TOP_COUNT);
}
