import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { storable } from "#community/common";
import { LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { AccountState } from "./states.ts";
import { personColumns, type PersonSummary } from "./visible.ts";

/** An account as whoever runs the place sees it: what it may do, and why, and until when, where that is less than others may. */
export type AccountLine = PersonSummary & {
  email: string | null;
  role: SignedIn["role"];
  state: AccountState;
  reason: string | null;
  until: Date | null;
  /** What somebody who waits to be let in said when they registered; null for everybody else, and where nothing was said. */
  askedWith: string | null;
  joinedAt: Date;
  seenAt: Date | null;
};
/** Which accounts: those whose name, user name or address has these words in it, in one of these states, or of those who look after the place. */
export type AccountsAsked = { search?: string; state?: AccountState | "staff" | undefined; after?: string };

const PAGE = LIMITS.page.people;
const COLUMNS = sql`${personColumns()}, p.email, p.site_role as role, p.state, p.state_reason as reason, p.state_until as until,
  case when p.state = 'pending_approval' then nullif(p.join_reason, '') end as "askedWith", p.created_at as "joinedAt", p.seen_at as "seenAt"`;

/** A page of all accounts but erased ones, the youngest first; `after` is the `next` of the page before. Throws `not-allowed` for all but admins. */
export async function accountsFor(
  db: Db,
  viewer: Viewer,
  { search = "", state, after = "" }: AccountsAsked,
): Promise<{ accounts: AccountLine[]; next: string | null }> {
  assertRuns(viewer);
  // Ids are made of moments: their order is that of coming here, and the key of the table has it.
  const rows = await many(
    db,
    sql<AccountLine>`
      select ${COLUMNS} from people p
      where p.state <> 'erased' and ${isId(after) ? sql`p.id < ${after}` : sql`true`} and ${matching(search)} and ${being(state)}
      order by p.id desc ${limit(PAGE + 1)}`,
  );
  return { accounts: rows.slice(0, PAGE), next: rows.length > PAGE ? rows[PAGE - 1]!.id : null };
}

/** One of them; null where there is none. Throws `not-allowed` for all but admins. */
export async function accountLineFor(db: Db, viewer: Viewer, id: string): Promise<AccountLine | null> {
  assertRuns(viewer);
  if (!isId(id)) return null;
  return (await maybeOne(db, sql<AccountLine>`select ${COLUMNS} from people p where p.id = ${id} and p.state <> 'erased'`)) ?? null;
}

function assertRuns(viewer: Viewer): void {
  if (viewer.role !== "admin" || viewer.id === null) throw new Refusal("not-allowed", "Only admins look after accounts.");
}

function matching(search: string) {
  const words = storable(search).trim().slice(0, 200).toLowerCase();
  if (words === "") return sql`true`;
  const within = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(lower(p.display_name) like ${within} or p.username like ${within} or lower(p.email) like ${within})`;
}

const being = (state: AccountsAsked["state"]) =>
  state === undefined ? sql`true` : state === "staff" ? sql`p.site_role <> 'member'` : sql`p.state = ${state}`;
