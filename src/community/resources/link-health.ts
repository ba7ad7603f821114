import { DAY, HOUR, later, SECOND } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { FetchFault, type Fetcher, ForbiddenAddress, type Looked } from "#platform/fetcher";
import { announce } from "#platform/outbox";
import { normalisedAddress } from "./addresses.ts";

type Due = { resourceId: string; url: string; host: string; etag: string | null; lastModified: string | null };
/** Outcome of a check: reachable, postponed at the server's request, failing, or not checkable. */
type Outcome =
  | { is: "there"; looked: Looked }
  | { is: "later"; seconds: number }
  | { is: "failing"; answered: boolean }
  | { is: "forbidden" };

const WEEK = 7 * DAY;
/** Delay after a failure, so that the third check is after seven days. */
const AGAIN = 3.5 * DAY;
/** Failures over a week after which a link is dead. */
const DEADLY = 3;
const MOST_IN_ROUND = 20;
const AT_ONCE = 4;
const SHARE = 1_000;

/** Schedules checks of new links and of links whose address changed. */
export async function watchLinks(tx: Tx): Promise<void> {
  const host = sql`lower(substring(r.url from '^[a-z]+://([^/?#]+)'))`;
  await run(
    tx,
    sql`update link_checks c set url = r.url, host = coalesce(${host}, ''), due_at = ${tx.now}, etag = null, last_modified = null, failures = 0, failing_since = null, moved_to = null
        from resources r where r.id = c.resource_id and r.url <> c.url`,
  );
  await run(
    tx,
    sql`insert into link_checks (resource_id, url, host, due_at)
        select r.id, r.url, coalesce(${host}, ''), ${tx.now} from resources r
        where r.url is not null and r.state = 'published' and not exists (select from link_checks c where c.resource_id = r.id)
        ${limit(SHARE)} on conflict do nothing`,
  );
}

/**
 * Job, each minute: checks links due after a week, one of each host, so that a host gets at most one request
 * a minute. If nothing at all responds, our own connection is down and no failure is recorded. Returns how
 * many were checked.
 */
export async function checkLinks({ inTransaction }: Database, fetcher: Pick<Fetcher, "look">): Promise<number> {
  const due = await inTransaction(take);
  const outcomes: [Due, Outcome][] = [];
  const waiting = [...due];
  const work = async () => {
    for (let it = waiting.shift(); it; it = waiting.shift()) outcomes.push([it, await lookAt(fetcher, it)]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const unheard = outcomes.length >= 3 && outcomes.every(([, outcome]) => outcome.is === "failing" && !outcome.answered);
  if (!unheard) for (const [it, outcome] of outcomes) await inTransaction((tx) => note(tx, it, outcome));
  return due.length;
}

/**
 * Claimed links are not claimed again within the hour, in case this process ends. Links of unpublished
 * resources are rescheduled without a check: they may be restored, and must not delay others of their host.
 */
async function take(tx: Tx): Promise<Due[]> {
  const taken = await many(
    tx,
    sql<Due & { stands: boolean }>`
      update link_checks c set due_at = case when r.state = 'published' then ${later(tx.now, HOUR)}::timestamptz else ${later(tx.now, WEEK)} end
      from resources r where r.id = c.resource_id and c.due_at <= ${tx.now} and c.resource_id in (
        select resource_id from (
          select distinct on (host) resource_id, due_at from link_checks where due_at <= ${tx.now} order by host, due_at, resource_id) first
        order by due_at ${limit(MOST_IN_ROUND)})
      returning c.resource_id as "resourceId", c.url, c.host, c.etag, c.last_modified as "lastModified", r.state = 'published' as stands`,
  );
  return taken.filter(({ stands }) => stands);
}

/** Statuses that deny this request but prove that the page exists. */
const THERE = new Set([401, 402, 403, 405, 406, 407, 423, 425, 426, 451]);

async function lookAt(fetcher: Pick<Fetcher, "look">, { url, etag, lastModified }: Due): Promise<Outcome> {
  try {
    const looked = await fetcher.look(url, { etag, lastModified });
    const { status, retryAfter } = looked;
    if (status < 400 || THERE.has(status)) return { is: "there", looked };
    if (status === 429 || (status === 503 && retryAfter !== null)) return { is: "later", seconds: retryAfter ?? 3_600 };
    return { is: "failing", answered: true };
  } catch (error) {
    if (error instanceof ForbiddenAddress) return { is: "forbidden" };
    if (error instanceof FetchFault) return { is: "failing", answered: false };
    throw error;
  }
}

async function note(tx: Tx, it: Due, outcome: Outcome): Promise<void> {
  if (outcome.is === "there") return isThere(tx, it, outcome.looked);
  if (outcome.is === "failing") return isFailing(tx, it);
  if (outcome.is === "forbidden") return void (await put(tx, it, sql`due_at = ${later(tx.now, 4 * WEEK)}`));
  const until = later(tx.now, Math.min(WEEK, Math.max(HOUR, outcome.seconds * SECOND)));
  await run(tx, sql`update link_checks set due_at = greatest(due_at, ${until}) where host = ${it.host}`);
}

async function isThere(tx: Tx, it: Due, { url, forGood, status, etag, lastModified }: Looked): Promise<void> {
  const moved = forGood && normalisedAddress(url) !== normalisedAddress(it.url) && url.length <= 2_000 ? url : null;
  // A 304 response may omit the validators; the known ones stay.
  const known = status === 304 ? { etag: etag ?? it.etag, lastModified: lastModified ?? it.lastModified } : { etag, lastModified };
  await put(
    tx,
    it,
    sql`due_at = ${later(tx.now, WEEK)}, checked_at = ${tx.now}, etag = ${known.etag}, last_modified = ${known.lastModified}, failures = 0, failing_since = null, moved_to = ${moved}`,
  );
  await become(tx, it, moved ? "redirected" : "ok");
}

async function isFailing(tx: Tx, it: Due): Promise<void> {
  const found = await maybeOne(
    tx,
    sql<{ dead: boolean }>`
      update link_checks set due_at = ${later(tx.now, AGAIN)}, checked_at = ${tx.now}, failures = failures + 1, failing_since = coalesce(failing_since, ${tx.now})
      where resource_id = ${it.resourceId} and url = ${it.url}
      returning failures >= ${DEADLY} and failing_since <= ${later(tx.now, -WEEK)} as dead`,
  );
  if (found?.dead) await become(tx, it, "dead");
}

/** A link whose address changed meanwhile is not touched; it has a check of its own. */
const put = (tx: Tx, it: Due, set: ReturnType<typeof sql>) =>
  run(tx, sql`update link_checks set ${set} where resource_id = ${it.resourceId} and url = ${it.url}`);

async function become(tx: Tx, { resourceId, url }: Due, health: "ok" | "redirected" | "dead"): Promise<void> {
  const before = await maybeOne(
    tx,
    sql<{ health: string; groupId: string | null }>`
      select health, group_id as "groupId" from resources where id = ${resourceId} and url = ${url} for no key update`,
  );
  if (!before || before.health === health) return;
  await run(tx, sql`update resources set health = ${health} where id = ${resourceId}`);
  const type = health === "dead" ? "resource.link-died" : before.health === "dead" ? "resource.link-revived" : "resource.link-checked";
  await announce(tx, { type, resourceId, groupId: before.groupId });
}
