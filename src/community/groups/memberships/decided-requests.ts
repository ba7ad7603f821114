import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";

/** Retention in days: two years, as the page states. */
const RETENTION_DAYS = 730;
/** Maximum number of rows per transaction, so that each transaction is short. */
const BATCH_SIZE = 1_000;

export type DecidedRequest = {
  id: string;
  person: PersonCard;
  /** The questions at the time of the request, and the answers. */
  answers: { question: string; answer: string }[];
  askedAt: Date;
  /** Membership status after the decision. */
  outcome: "member" | "declined" | "withdrawn" | "banned";
  decidedAt: Date;
  /** Null if no one decided: the request was withdrawn, or the person joined in another way. */
  decidedBy: PersonCard | null;
  reason: string;
};

type GroupWithId = GroupFacts & { id: string };

function assertCanApprove(viewer: Viewer, group: GroupWithId): void {
  if (!groupRules.approveMembers(viewer, group))
    throw new Refusal("not-allowed", "Only moderators of the group can see join requests.");
}

const decidedColumns = sql`
  ${personCard("p")} as person, r.answers, r.asked_at as "askedAt", r.outcome, r.decided_at as "decidedAt",
  case when decider.id is not null then ${personCard("decider")} end as "decidedBy", r.reason`;
const decidedRequestsOfGroup = (group: GroupWithId) => sql`
  from decided_join_requests r join people p on p.id = r.person_id left
  join people decider on decider.id = r.decided_by
  where r.group_id = ${group.id}`;

/**
 * Decided requests, latest first, 50 per page.
 * @throws `not-allowed` for viewers who may not approve
 */
export async function listDecidedRequests(
  db: Db,
  viewer: Viewer,
  group: GroupWithId,
  query: { after?: string } = {},
): Promise<Page<DecidedRequest>> {
  assertCanApprove(viewer, group);
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<DecidedRequest>`
      select r.id, ${decidedColumns} ${decidedRequestsOfGroup(group)}
        ${andIfGiven(cursor, ([at, id]) => sql`(r.decided_at, r.id) < (${at}, ${id}::uuid)`)}
      order by r.decided_at desc, r.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.decidedAt, last.id));
}

/** An entry in the list of all requests. A pending request has no outcome yet. */
export type RequestEntry = Omit<DecidedRequest, "outcome" | "decidedAt"> & {
  outcome: DecidedRequest["outcome"] | null;
  decidedAt: Date | null;
};

/**
 * Iterates over all requests of a group, pending ones included, earliest first.
 * @throws `not-allowed` for viewers who may not approve, before any row is read
 */
export function iterateJoinRequests(
  db: Db,
  viewer: Viewer,
  group: GroupWithId,
): AsyncGenerator<RequestEntry> {
  assertCanApprove(viewer, group);
  return iterateRequestPages(db, group);
}

const PAGE_SIZE = 500;

async function* iterateRequestPages(db: Db, group: GroupWithId): AsyncGenerator<RequestEntry> {
  let last: RequestEntry | undefined;
  do {
    const rows: RequestEntry[] = await many(db, requestsAfter(group, last));
    yield* rows;
    last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined;
  } while (last);
}

const requestsAfter = (group: GroupWithId, last: RequestEntry | undefined) => sql<RequestEntry>`
  select * from (
    select r.id, ${decidedColumns} ${decidedRequestsOfGroup(group)}
    union all
    select p.id, ${personCard("p")}, m.answers, m.changed_at, null, null, null, ''
    from memberships m join people p on p.id = m.person_id
      where m.group_id = ${group.id} and m.state = 'requested') line
  where true ${andIfGiven(
    last,
    ({ askedAt, id }) => sql`(line."askedAt", line.id) > (${askedAt},
    ${id}::uuid)`,
  )}
  order by line."askedAt", line.id ${limit(PAGE_SIZE)}`;

/** Deletes requests decided two years ago; for jobs. Returns how many. */
export const deleteOldRequests = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from decided_join_requests where id in (
      select id from decided_join_requests
      where decided_at < ${addMilliseconds(tx.now, -RETENTION_DAYS * DAY)}
      order by decided_at ${limit(BATCH_SIZE)} for update skip locked)`,
  );
