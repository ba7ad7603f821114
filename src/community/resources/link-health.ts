import { DAY, HOUR, addMilliseconds, SECOND } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { FetchError, type Fetcher, ForbiddenAddress, type LinkStatus } from "#platform/fetcher";
import { emit } from "#platform/outbox";
import { normalizeAddress } from "./normalized-address.ts";

type DueLink = {
  resourceId: string;
  url: string;
  host: string;
  etag: string | null;
  lastModified: string | null;
};
/**
 * Outcome of a check: `there` (reachable), `later` (the server asked for a later check), `failing`, or
 * `forbidden` (the address may not be checked).
 */
type CheckOutcome =
  | { is: "there"; looked: LinkStatus }
  | { is: "later"; seconds: number }
  | { is: "failing"; answered: boolean }
  | { is: "forbidden" };

const CHECK_INTERVAL = 7 * DAY;
/** Delay after a failure. After two such delays, the third check is seven days after the first. */
const RETRY_INTERVAL = 3.5 * DAY;
/** Number of failures within a week after which a link is dead. */
const FAILURES_UNTIL_DEAD = 3;
const MAX_PER_ROUND = 20;
const CONCURRENCY = 4;
const BATCH_SIZE = 1_000;

/** Schedules checks of new links and of links whose address changed. */
export async function scheduleLinkChecks(tx: Tx): Promise<void> {
  const host = sql`lower(substring(r.url from '^[a-z]+://([^/?#]+)'))`;
  await run(
    tx,
    sql`update link_checks c set url = r.url, host = coalesce(${host}, ''), due_at = ${tx.now}, etag = null,
      last_modified = null, failures = 0, failing_since = null, moved_to = null
        from resources r where r.id = c.resource_id and r.url <> c.url`,
  );
  await run(
    tx,
    sql`insert into link_checks (resource_id, url, host, due_at)
        select r.id, r.url, coalesce(${host}, ''), ${tx.now} from resources r
        where r.url is not null and r.state = 'published'
          and not exists (select from link_checks c where c.resource_id = r.id)
        ${limit(BATCH_SIZE)} on conflict do nothing`,
  );
}

/**
 * Job, each minute: checks links that are due after a week. Checks one link per host, so that a host gets at
 * most one request a minute. If no host responds, our own connection is probably down, and no failure is
 * recorded. Returns the number of checks.
 */
export async function checkDueLinks(
  { inTransaction }: Database,
  fetcher: Pick<Fetcher, "look">,
): Promise<number> {
  const due = await inTransaction(claimDueLinks);
  const outcomes: [DueLink, CheckOutcome][] = [];
  const waiting = [...due];
  const work = async () => {
    for (let it = waiting.shift(); it; it = waiting.shift())
      outcomes.push([it, await fetchLink(fetcher, it)]);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const unheard =
    outcomes.length >= 3 && outcomes.every(([, outcome]) => outcome.is === "failing" && !outcome.answered);
  if (!unheard)
    for (const [it, outcome] of outcomes) await inTransaction((tx) => recordOutcome(tx, it, outcome));
  return due.length;
}

/**
 * Claims due links for an hour, so that they are not checked twice even if this process ends. Links of
 * unpublished resources must not delay other links of their host, so they are rescheduled without a check.
 * They are not dropped, because the resource may be restored.
 */
async function claimDueLinks(tx: Tx): Promise<DueLink[]> {
  const taken = await many(
    tx,
    sql<DueLink & { stands: boolean }>`
      update link_checks c set due_at = case
        when r.state = 'published' then ${addMilliseconds(tx.now, HOUR)}::timestamptz
        else ${addMilliseconds(tx.now, CHECK_INTERVAL)} end
      from resources r where r.id = c.resource_id and c.due_at <= ${tx.now} and c.resource_id in (
        select resource_id from (
          select distinct on (host) resource_id, due_at from link_checks where due_at <= ${tx.now}
            order by host, due_at, resource_id) first
        order by due_at ${limit(MAX_PER_ROUND)})
      returning c.resource_id as "resourceId", c.url, c.host, c.etag, c.last_modified as "lastModified",
        r.state = 'published' as stands`,
  );
  return taken.filter(({ stands }) => stands);
}

/** Statuses that refuse the request but prove that the page exists. */
const REACHABLE_STATUSES = new Set([401, 402, 403, 405, 406, 407, 423, 425, 426, 451]);

async function fetchLink(
  fetcher: Pick<Fetcher, "look">,
  { url, etag, lastModified }: DueLink,
): Promise<CheckOutcome> {
  try {
    const looked = await fetcher.look(url, { etag, lastModified });
    const { status, retryAfter } = looked;
    if (status < 400 || REACHABLE_STATUSES.has(status)) return { is: "there", looked };
    if (status === 429 || (status === 503 && retryAfter !== null))
      return { is: "later", seconds: retryAfter ?? 3_600 };
    return { is: "failing", answered: true };
  } catch (error) {
    if (error instanceof ForbiddenAddress) return { is: "forbidden" };
    if (error instanceof FetchError) return { is: "failing", answered: false };
    throw error;
  }
}

async function recordOutcome(tx: Tx, dueLink: DueLink, outcome: CheckOutcome): Promise<void> {
  if (outcome.is === "there") return recordReachable(tx, dueLink, outcome.looked);
  if (outcome.is === "failing") return recordFailure(tx, dueLink);
  if (outcome.is === "forbidden")
    return void (await updateCheck(
      tx,
      dueLink,
      sql`due_at = ${addMilliseconds(tx.now, 4 * CHECK_INTERVAL)}`,
    ));
  const until = addMilliseconds(tx.now, Math.min(CHECK_INTERVAL, Math.max(HOUR, outcome.seconds * SECOND)));
  await run(tx, sql`update link_checks set due_at = greatest(due_at, ${until}) where host = ${dueLink.host}`);
}

async function recordReachable(
  tx: Tx,
  dueLink: DueLink,
  { url, forGood, status, etag, lastModified }: LinkStatus,
): Promise<void> {
  const moved =
    forGood && normalizeAddress(url) !== normalizeAddress(dueLink.url) && url.length <= 2_000 ? url : null;
  // A 304 response may omit the validators; the stored ones are then kept.
  const known =
    status === 304
      ? { etag: etag ?? dueLink.etag, lastModified: lastModified ?? dueLink.lastModified }
      : { etag, lastModified };
  await updateCheck(
    tx,
    dueLink,
    sql`due_at = ${addMilliseconds(tx.now, CHECK_INTERVAL)}, checked_at = ${tx.now}, etag = ${known.etag},
      last_modified = ${known.lastModified}, failures = 0, failing_since = null, moved_to = ${moved}`,
  );
  await setHealth(tx, dueLink, moved ? "redirected" : "ok");
}

async function recordFailure(tx: Tx, dueLink: DueLink): Promise<void> {
  const found = await maybeOne(
    tx,
    sql<{ dead: boolean }>`
      update link_checks set due_at = ${addMilliseconds(tx.now, RETRY_INTERVAL)}, checked_at = ${tx.now},
        failures = failures + 1, failing_since = coalesce(failing_since, ${tx.now})
      where resource_id = ${dueLink.resourceId} and url = ${dueLink.url}
      returning failures >= ${FAILURES_UNTIL_DEAD}
        and failing_since <= ${addMilliseconds(tx.now, -CHECK_INTERVAL)} as dead`,
  );
  if (found?.dead) await setHealth(tx, dueLink, "dead");
}

/**
 * Updates the check of a link, unless its address has changed meanwhile: the new address has a check of its
 * own.
 */
const updateCheck = (tx: Tx, it: DueLink, set: ReturnType<typeof sql>) =>
  run(tx, sql`update link_checks set ${set} where resource_id = ${it.resourceId} and url = ${it.url}`);

async function setHealth(
  tx: Tx,
  { resourceId, url }: DueLink,
  health: "ok" | "redirected" | "dead",
): Promise<void> {
  const before = await maybeOne(
    tx,
    sql<{ health: string; groupId: string | null }>`
      select health, group_id as "groupId" from resources
      where id = ${resourceId} and url = ${url} for no key update`,
  );
  if (!before || before.health === health) return;
  await run(tx, sql`update resources set health = ${health} where id = ${resourceId}`);
  const type =
    health === "dead"
      ? "resource.link-died"
      : before.health === "dead"
        ? "resource.link-revived"
        : "resource.link-checked";
  await emit(tx, { type, resourceId, groupId: before.groupId });
}
