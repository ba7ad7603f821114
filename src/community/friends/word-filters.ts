import { z } from "zod";
import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { requiredText } from "#community/common";
import {
  type FilterContext,
  type FilterFacts,
  isSignedIn,
  LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { requireSignedIn } from "./require-signed-in.ts";

export type WordFilter = FilterFacts & { id: string; contexts: FilterContext[]; until: Date | null };

export const NewWordFilter = z.object({
  phrase: requiredText("The phrase", "Enter the words to filter.", LIMITS.filters.phrase),
  contexts: z
    .array(z.enum(["home", "discussion", "notifications"]))
    .min(1, "Choose where the filter applies."),
  action: z.enum(["collapse", "hide"]),
  until: z.date("This is not a valid time.").nullable(),
});
type NewWordFilter = z.output<typeof NewWordFilter>;

const isActive = sql<boolean>`(dropped_at is null and coalesce(until > now(), true))`;
const FILTER_COLUMNS = sql`id, phrase, contexts, action, until`;

/** The viewer's active filters, oldest first; with `context`, those that apply there. Empty for guests. */
export const listWordFilters = (db: Db, viewer: Viewer, context?: FilterContext): Promise<WordFilter[]> =>
  isSignedIn(viewer)
    ? many(
        db,
        sql<WordFilter>`
          select ${FILTER_COLUMNS} from filters
          where person_id = ${viewer.id} and ${isActive} ${
            context
              ? sql`and ${context}
            = any(contexts)`
              : sql``
          }
          order by created_at, id ${limit(LIMITS.filters.count)}`,
      )
    : Promise.resolve([]);

/** The viewer's filters as one SQL value for `createFilterMatcher`; null without filters. */
export const wordFilterRows = (viewer: Viewer, context: FilterContext) =>
  sql<FilterFacts[] | null>`
    (select json_agg(json_build_object('phrase', phrase, 'action', action) order by created_at, id)
    from filters
     where person_id = ${viewer.id}::uuid and ${isActive} and ${context} = any(contexts))`;

/**
 * Adds a filter.
 * @throws `not-signed-in`, `invalid` on `until` for a past time, `too-many` above fifty
 */
export async function addWordFilter(tx: Tx, viewer: Viewer, input: NewWordFilter): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  assertEndInFuture(tx, input);
  await assertFilterLimit(tx, me);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into filters (id, person_id, phrase, contexts, action, until, created_at)
        values (${id}, ${me.id}, ${input.phrase}, ${input.contexts}::text[], ${input.action}, ${input.until},
          ${tx.now})`,
  );
  await emitFilterChange(tx, me);
  return { id };
}

/**
 * Changes a filter.
 * @throws like `addWordFilter`, and `not-found` for another person's filter
 */
export async function editWordFilter(
  tx: Tx,
  viewer: Viewer,
  input: NewWordFilter & { filterId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  assertEndInFuture(tx, input);
  await updateOwnFilter(
    tx,
    me,
    input.filterId,
    sql`phrase = ${input.phrase}, contexts = ${input.contexts}::text[], action = ${input.action},
      until = ${input.until}`,
  );
}

/**
 * Deletes a filter, which can be restored for a day.
 * @throws `not-found` for another person's filter
 */
export const deleteWordFilter = (tx: Tx, viewer: Viewer, input: { filterId: string }): Promise<void> =>
  updateOwnFilter(tx, requireSignedIn(viewer), input.filterId, sql`dropped_at = ${tx.now}`);

/**
 * Restores a filter deleted within a day.
 * @throws `not-found` otherwise, `too-many` if newer filters have used up the limit
 */
export async function restoreWordFilter(tx: Tx, viewer: Viewer, input: { filterId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  await assertFilterLimit(tx, me);
  const back = isId(input.filterId)
    ? await run(
        tx,
        sql`update filters set dropped_at = null
          where id = ${input.filterId} and person_id = ${me.id}
            and dropped_at > ${addMilliseconds(tx.now, -DAY)}`,
      )
    : 0;
  if (back === 0) throw notFound();
  await emitFilterChange(tx, me);
}

/** A filter of the viewer that was deleted within a day and can be restored. */
export const getDeletedWordFilter = async (db: Db, viewer: Viewer, id: string): Promise<WordFilter | null> =>
  (isId(id) &&
    (await maybeOne(
      db,
      sql<WordFilter>`select ${FILTER_COLUMNS} from filters
        where id = ${id} and person_id = ${viewer.id}::uuid and dropped_at is not null`,
    ))) ||
  null;

function assertEndInFuture(tx: Tx, { until }: NewWordFilter) {
  if (until && until <= tx.now) throw invalid("until", "That time is in the past.");
}

/** A lock serializes a person's filters, so that two concurrent filters are both counted. */
async function assertFilterLimit(tx: Tx, me: SignedIn) {
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const { count } = await one(
    tx,
    sql<{
      count: number;
    }>`select count(*)::int as count from filters where person_id = ${me.id} and dropped_at is null`,
  );
  if (count >= LIMITS.filters.count)
    throw new Refusal("too-many", "You can have at most 50 filters. Remove one first.");
}

async function updateOwnFilter(tx: Tx, me: SignedIn, id: string, change: ReturnType<typeof sql>) {
  const changed = isId(id)
    ? await run(
        tx,
        sql`update filters set ${change} where id = ${id} and person_id = ${me.id} and dropped_at is null`,
      )
    : 0;
  if (changed === 0) throw notFound();
  await emitFilterChange(tx, me);
}

const emitFilterChange = (tx: Tx, me: SignedIn) => emit(tx, { type: "person.filtered", by: me.id });
