import { z } from "zod";
import { DAY, later } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { neededText } from "#community/common";
import { type FilterContext, type FilterFacts, isSignedIn, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { signedIn } from "./signed-in.ts";

export type Filter = FilterFacts & { id: string; contexts: FilterContext[]; until: Date | null };

export const NewFilter = z.object({
  phrase: neededText("The phrase", "Say which words.", LIMITS.filters.phrase),
  contexts: z.array(z.enum(["home", "discussion", "notifications"])).min(1, "Choose where."),
  action: z.enum(["collapse", "hide"]),
  until: z.date("That is not a time.").nullable(),
});
type NewFilter = z.output<typeof NewFilter>;

const holds = sql<boolean>`(dropped_at is null and coalesce(until > now(), true))`;
const COLUMNS = sql`id, phrase, contexts, action, until`;

/** The viewer's filters, oldest first; with `context`, those active there. Empty for guests. */
export const filtersOf = (db: Db, viewer: Viewer, context?: FilterContext): Promise<Filter[]> =>
  isSignedIn(viewer)
    ? many(
        db,
        sql<Filter>`
          select ${COLUMNS} from filters where person_id = ${viewer.id} and ${holds} ${context ? sql`and ${context} = any(contexts)` : sql``}
          order by created_at, id ${limit(LIMITS.filters.count)}`,
      )
    : Promise.resolve([]);

/** The same as one SQL value, for `createFilterMatcher`; null without filters. */
export const filtersFor = (viewer: Viewer, context: FilterContext) =>
  sql<FilterFacts[] | null>`
    (select json_agg(json_build_object('phrase', phrase, 'action', action) order by created_at, id) from filters
     where person_id = ${viewer.id}::uuid and ${holds} and ${context} = any(contexts))`;

/**
 * Adds a filter.
 * @throws `not-signed-in`, `invalid` on `until` for a past time, `too-many` above fifty
 */
export async function addFilter(tx: Tx, viewer: Viewer, input: NewFilter): Promise<{ id: string }> {
  const me = signedIn(viewer);
  mindEnd(tx, input);
  await room(tx, me);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into filters (id, person_id, phrase, contexts, action, until, created_at)
        values (${id}, ${me.id}, ${input.phrase}, ${input.contexts}::text[], ${input.action}, ${input.until}, ${tx.now})`,
  );
  await told(tx, me);
  return { id };
}

/**
 * Changes a filter.
 * @throws as `addFilter`, and `not-found` for another person's
 */
export async function changeFilter(tx: Tx, viewer: Viewer, input: NewFilter & { filterId: string }): Promise<void> {
  const me = signedIn(viewer);
  mindEnd(tx, input);
  await own(
    tx,
    me,
    input.filterId,
    sql`phrase = ${input.phrase}, contexts = ${input.contexts}::text[], action = ${input.action}, until = ${input.until}`,
  );
}

/**
 * Deletes a filter; it can be restored for a day.
 * @throws `not-found` for another person's
 */
export const dropFilter = (tx: Tx, viewer: Viewer, input: { filterId: string }): Promise<void> =>
  own(tx, signedIn(viewer), input.filterId, sql`dropped_at = ${tx.now}`);

/**
 * Restores a filter deleted within a day.
 * @throws `not-found` otherwise, `too-many` if others have taken its place
 */
export async function takeUpFilter(tx: Tx, viewer: Viewer, input: { filterId: string }): Promise<void> {
  const me = signedIn(viewer);
  await room(tx, me);
  const back = isId(input.filterId)
    ? await run(
        tx,
        sql`update filters set dropped_at = null where id = ${input.filterId} and person_id = ${me.id} and dropped_at > ${later(tx.now, -DAY)}`,
      )
    : 0;
  if (back === 0) throw notFound();
  await told(tx, me);
}

/** A recently deleted filter, which can be restored. */
export const droppedFilter = async (db: Db, viewer: Viewer, id: string): Promise<Filter | null> =>
  (isId(id) &&
    (await maybeOne(
      db,
      sql<Filter>`select ${COLUMNS} from filters where id = ${id} and person_id = ${viewer.id}::uuid and dropped_at is not null`,
    ))) ||
  null;

function mindEnd(tx: Tx, { until }: NewFilter) {
  if (until && until <= tx.now) throw invalid("until", "That time is over already.");
}

/** Serialized per person, so that two at once count as two. */
async function room(tx: Tx, me: SignedIn) {
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const { count } = await one(
    tx,
    sql<{ count: number }>`select count(*)::int as count from filters where person_id = ${me.id} and dropped_at is null`,
  );
  if (count >= LIMITS.filters.count) throw new Refusal("too-many", "Fifty filters are the most. Remove one first.");
}

async function own(tx: Tx, me: SignedIn, id: string, change: ReturnType<typeof sql>) {
  const changed = isId(id)
    ? await run(tx, sql`update filters set ${change} where id = ${id} and person_id = ${me.id} and dropped_at is null`)
    : 0;
  if (changed === 0) throw notFound();
  await told(tx, me);
}

const told = (tx: Tx, me: SignedIn) => announce(tx, { type: "person.filtered", by: me.id });
