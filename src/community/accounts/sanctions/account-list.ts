import { type Db, limit, many, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { personColumns, type PersonCard, toStorableText } from "#community/common";
import { LIMITS, accountRules, type SignedIn, type Viewer } from "#community/rules";
import type { AccountState } from "../lifecycle/account-states.ts";

/** An account as staff see it: its state, the reason and the end of a restriction. */
export type AccountEntry = PersonCard & {
  /** Masked email address: `m…@e…`. Staff reveal full addresses one account at a time. */
  address: string | null;
  role: SignedIn["role"];
  state: AccountState;
  reason: string | null;
  until: Date | null;
  /** Join reason of a pending account; null for other accounts, and if no reason was given. */
  joinReason: string | null;
  /** The account waits for approval because the required proof of work was missing. */
  lacksProof: boolean;
  joinedAt: Date;
  seenAt: Date | null;
  /** The viewer outranks the person and may therefore decide about the account. */
  canDecide: boolean;
};
/** Filter: words in name or username (for admins also in the address), a state, or staff only. */
export type AccountsQuery = { search?: string; state?: AccountState | "staff" | undefined; after?: string };

const PAGE_SIZE = LIMITS.page.people;
const ACCOUNT_COLUMNS = sql`${personColumns("p")},
  left(p.email, 1) || '…@' || left(split_part(p.email, '@', 2), 1) || '…' as address, p.site_role as role,
    p.state, p.state_reason as reason, p.state_until as until,
  case when p.state = 'pending_approval' then nullif(p.join_reason, '')
    end as "joinReason", p.state = 'pending_approval' and p.needs_approval as "lacksProof", p.created_at as "joinedAt", p.seen_at as "seenAt"`;

/**
 * A page of all accounts except erased ones and bots, newest first; `after` is the `next` of the previous page.
 * @throws `not-allowed` for all but staff
 */
export async function listAccounts(
  db: Db,
  viewer: Viewer,
  { search = "", state, after = "" }: AccountsQuery,
): Promise<{ accounts: AccountEntry[]; next: string | null }> {
  assertIsStaff(viewer);
  // Ids are UUIDv7: their order is that of registration, and the primary key index provides it.
  const rows = await many(
    db,
    sql<Omit<AccountEntry, "canDecide">>`
      select ${ACCOUNT_COLUMNS} from people p
      where p.state not in ('erased', 'bot') and ${isId(after) ? sql`p.id < ${after}` : sql`true`}
        and ${accountMatches(viewer, search)} and ${stateCondition(state)}
      order by p.id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return {
    accounts: rows.slice(0, PAGE_SIZE).map((row) => toAccountEntry(viewer, row)),
    next: rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1]!.id : null,
  };
}

/**
 * One account; null if it does not exist.
 * @throws `not-allowed` for all but staff
 */
export async function getAccountEntry(db: Db, viewer: Viewer, id: string): Promise<AccountEntry | null> {
  assertIsStaff(viewer);
  if (!isId(id)) return null;
  const row = await maybeOne(
    db,
    sql<
      Omit<AccountEntry, "canDecide">
    >`select ${ACCOUNT_COLUMNS} from people p where p.id = ${id} and p.state not in ('erased', 'bot')`,
  );
  return row ? toAccountEntry(viewer, row) : null;
}

/**
 * The full email address of an account, null if it has none. The audit log records each call.
 * @throws `not-found`, `not-allowed` for all but staff who outrank the person
 */
export async function revealEmail(tx: Tx, viewer: Viewer, id: string): Promise<string | null> {
  assertIsStaff(viewer);
  const it =
    isId(id) &&
    (await maybeOne(
      tx,
      sql<{
        email: string | null;
        role: SignedIn["role"];
      }>`select email, site_role as role from people where id = ${id} and state <> 'erased'`,
    ));
  if (!it) throw notFound();
  if (!accountRules.decide(viewer, it)) throw new Refusal("not-allowed", "You need a higher role for this.");
  await writeAudit(tx, viewer, { act: "person.address-read", kind: "person", id });
  return it.email;
}

const toAccountEntry = (viewer: Viewer, row: Omit<AccountEntry, "canDecide">): AccountEntry => ({
  ...row,
  canDecide: accountRules.decide(viewer, row),
});

function assertIsStaff(viewer: Viewer): void {
  if (!accountRules.moderate(viewer))
    throw new Refusal("not-allowed", "Only moderators and admins can do this.");
}

function accountMatches(viewer: Viewer, search: string) {
  const words = toStorableText(search).trim().slice(0, 200).toLowerCase();
  if (words === "") return sql`true`;
  const within = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  // Only admins search addresses: moderators could read an address letter by letter without a log entry.
  const byAddress = viewer.role === "admin" ? sql`or lower(p.email) like ${within}` : sql``;
  return sql`(lower(p.display_name) like ${within} or p.username like ${within} ${byAddress})`;
}

const stateCondition = (state: AccountsQuery["state"]) =>
  state === undefined
    ? sql`true`
    : state === "staff"
      ? sql`p.site_role <> 'member'`
      : sql`p.state = ${state}`;
