import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { type Database, limit, many, run, sql, type Tx } from "#platform/database";
import type { Log } from "#platform/log";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";
import type { Filter, SearchEngine } from "./search-engine.ts";
import { buildSearchQuery } from "./search-page.ts";

type AlertOptions = { database: Database; search: { engine: SearchEngine }; log: Log };
type DueSearch = { id: string; asked: string; upTo: Date; viewer: SignedIn };

/** Number of searches checked concurrently. */
const BATCH_SIZE = 20;
/** Maximum number of searches per run. The next run is minutes away. */
const MAX_PER_RUN = 1_000;
/** Content newer than this may not be indexed yet, so it is checked in the next run. */
const INDEXING_DELAY = 5 * MINUTE;
/** People who have not visited for this long get no alerts. */
const ABSENCE_LIMIT = 180 * DAY;

/**
 * Scheduled job: runs each saved search with alerts that was not checked for a day, as its owner. Returns the
 * number of alerts sent.
 */
export async function sendSearchAlerts({ database, search, log }: AlertOptions): Promise<number> {
  let sent = 0;
  for (let looked = 0; looked < MAX_PER_RUN; looked += BATCH_SIZE) {
    const due = await database.inTransaction(claimDueSearches);
    for (const it of due)
      try {
        if (await checkSearch(database, search.engine, it)) sent += 1;
      } catch (error) {
        log.warn({ err: error, searchId: it.id }, "a saved search could not be run");
        await run(
          database.db,
          sql`update saved_searches set next_run_at = ${addMilliseconds(database.runtime.now(), HOUR)}
            where id = ${it.id} and next_run_at is not null`,
        );
      }
    if (due.length < BATCH_SIZE) break;
  }
  return sent;
}

/**
 * Claims the next due searches and sets their next check to a day later before they run, so that no one is
 * notified twice even if this run fails.
 */
const claimDueSearches = (tx: Tx): Promise<DueSearch[]> =>
  many(
    tx,
    sql<DueSearch>`
      with due as (
        select s.id from saved_searches s where s.next_run_at <= ${tx.now}
        order by s.next_run_at ${limit(BATCH_SIZE)} for update skip locked)
      update saved_searches s set next_run_at = ${addMilliseconds(tx.now, DAY)} from due, people p
      where s.id = due.id and p.id = s.person_id
      returning s.id, s.asked, s.notified_until as "upTo",
        case when p.state in ('active', 'limited')
          and coalesce(p.seen_at, p.created_at) > ${addMilliseconds(tx.now, -ABSENCE_LIMIT)}
          then json_build_object('id', p.id, 'role', p.site_role, 'trust', p.trust, 'limited',
            p.state = 'limited') end as viewer`,
  ).then((rows) => rows.filter(({ viewer }) => viewer !== null));

/** Runs one search and notifies its owner if others have posted new matches. Returns whether it did. */
async function checkSearch(
  database: Database,
  engine: SearchEngine,
  { id, asked, upTo, viewer }: DueSearch,
): Promise<boolean> {
  const now = database.runtime.now();
  const until = addMilliseconds(now, -INDEXING_DELAY);
  const { query, kinds } = await buildSearchQuery(database.db, viewer, { text: asked, now });
  const between: Filter[] = [
    { number: "createdAt", is: ">=", to: toSeconds(addMilliseconds(upTo, -INDEXING_DELAY)) },
    { number: "createdAt", is: "<", to: toSeconds(until) },
    { not: { facet: "authorId", value: viewer.id } },
  ];
  let news = false;
  for (const index of query === null ? [] : kinds) {
    const filter: Filter = { and: [...(query!.filter ? [query!.filter] : []), ...between] };
    const { total } = await engine.search(viewer, { ...query!, index, filter, needed: "all", length: 1 });
    if ((news = total > 0)) break;
  }
  await database.inTransaction(async (tx) => {
    const still = await run(
      tx,
      sql`update saved_searches set notified_until = ${now} where id = ${id} and notified_until is not null`,
    );
    if (news && still > 0) await emit(tx, { type: "search.found", searchId: id, personId: viewer.id });
  });
  return news;
}

const toSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);
