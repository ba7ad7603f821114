import { isIP } from "node:net";
import { z } from "zod";
import { addMilliseconds, DAY } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import {
  encodeCursor,
  type Page,
  type PersonCard,
  personCard,
  readCursor,
  requiredText,
  toPage,
  toStorableText,
  andIfGiven,
} from "#community/common";
import { accountRules, LIMITS, type Viewer, PREVENTION_LIMITS } from "#community/rules";
import {
  type BlockedAddressKind,
  type BlockedAddressValue,
  listBlockingValues,
  parseBlockedAddress,
} from "./address-value.ts";

export type BlockedAddress = BlockedAddressValue & {
  id: string;
  reason: string;
  endsAt: Date | null;
  createdAt: Date;
  createdBy: PersonCard | null;
};

/** Days for which an address can be blocked; 0 for no end. */
const BLOCK_DAYS = [0, 7, 30, 365] as const;
export const BlockedAddressForm = z.object({
  address: requiredText("The address", "Enter a domain, an email address or a network.", 320),
  reason: requiredText(
    "The reason",
    "Enter a reason. People who cannot register will read it.",
    PREVENTION_LIMITS.blockedAddresses.reason,
  ),
  days: z.coerce
    .number()
    .refine((days) => BLOCK_DAYS.some((known) => known === days), "Choose when the block ends."),
});

function assertStaff(viewer: Viewer): void {
  if (!accountRules.moderate(viewer)) throw notFound();
}

/**
 * Blocked addresses, latest first, 50 a page; also those that have ended, until they are removed.
 * @throws `not-found` for all but staff
 */
export async function listBlockedAddresses(
  db: Db,
  viewer: Viewer,
  { search = "", after = "" }: { search?: string; after?: string },
): Promise<Page<BlockedAddress>> {
  assertStaff(viewer);
  const cursor = readCursor(after, ["time", "id"]);
  const part = toStorableText(search).trim().toLowerCase();
  const rows = await many(
    db,
    sql<BlockedAddress>`
      select b.id, b.kind, b.value, b.reason, b.ends_at as "endsAt", b.created_at as "createdAt",
        case when p.id is not null then ${personCard("p")} end as "createdBy"
      from blocked_addresses b left join people p on p.id = b.created_by
      where (${part} = '' or position(${part} in b.value) > 0)
        ${andIfGiven(cursor, ([at, id]) => sql`and (b.created_at, b.id) < (${at}, ${id}::uuid)`)}
      order by b.created_at desc, b.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.createdAt, last.id));
}

/**
 * Blocks an email domain, an email address or a network. `ownAddress` is the viewer's network address.
 * @throws `not-found` for all but staff, `invalid` on `address` for one that cannot be blocked, is blocked
 * already, or is the viewer's own
 */
export async function blockAddress(
  tx: Tx,
  viewer: Viewer,
  { address, reason, days }: z.output<typeof BlockedAddressForm>,
  ownAddress: string,
): Promise<{ id: string }> {
  assertStaff(viewer);
  const parsed = parseBlockedAddress(address);
  if ("error" in parsed) throw invalid("address", parsed.error);
  const { kind } = parsed;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('blocked-addresses', 0))`);
  const network = kind === "network" ? sql`network(${parsed.value}::inet)` : sql`null::cidr`;
  const known = await one(
    tx,
    sql<{ value: string; count: number; email: string | null; isOwnNetwork: boolean }>`
      select coalesce(${network}::text, ${parsed.value}) as value,
        (select count(*)::int from blocked_addresses) as count,
        (select email from people where id = ${viewer.id}) as email,
        coalesce(${network} >>= ${ownAddress}::inet, false) as "isOwnNetwork"`,
  );
  if (known.isOwnNetwork)
    throw invalid(
      "address",
      "You are using this network yourself. Block a part of it without your own address.",
    );
  if (known.email && listBlockingValues(known.email).includes(known.value))
    throw invalid("address", "Your own account has an address like this. Block single addresses instead.");
  if (known.count >= PREVENTION_LIMITS.blockedAddresses.count)
    throw invalid(
      "address",
      msg("There can be at most {count, number} blocked addresses. Remove one first.", {
        count: PREVENTION_LIMITS.blockedAddresses.count,
      }),
    );
  const id = tx.newId();
  const endsAt = days === 0 ? null : addMilliseconds(tx.now, days * DAY);
  // A block that has ended is replaced.
  await run(tx, sql`delete from blocked_addresses where value = ${known.value} and ends_at <= ${tx.now}`);
  const stored = await run(
    tx,
    sql`insert into blocked_addresses (id, kind, value, network, reason, ends_at, created_at, created_by)
      values (${id}, ${kind}, ${known.value}, ${network}, ${reason}, ${endsAt}, ${tx.now}, ${viewer.id})
      on conflict (value) do nothing`,
  );
  if (stored === 0) throw invalid("address", "This is blocked already.");
  await writeAudit(tx, viewer, {
    act: "address.blocked",
    kind: "blocked-address",
    id,
    reason,
    details: { value: known.value, until: endsAt?.toISOString() ?? null },
  });
  return { id };
}

/**
 * Removes a block.
 * @throws `not-found` for all but staff and for an unknown id
 */
export async function unblockAddress(tx: Tx, viewer: Viewer, id: string): Promise<void> {
  assertStaff(viewer);
  const removed = isId(id)
    ? await maybeOne(
        tx,
        sql<{ value: string }>`delete from blocked_addresses where id = ${id} returning value`,
      )
    : undefined;
  if (!removed) throw notFound();
  await writeAudit(tx, viewer, {
    act: "address.unblocked",
    kind: "blocked-address",
    id,
    details: { value: removed.value },
  });
}

/** Addresses of a person without an account: an email address, a network address, or both. */
type Origin = { email?: string | undefined; address?: string | undefined };

/**
 * Asserts that neither the email address nor the network is blocked, for registrations and reports of guests.
 * @throws `not-allowed`, on `email` for a blocked one, with the reason and whom to contact
 */
export async function assertAddressAllowed(
  db: Db,
  { email, address }: Origin,
  { contact, now }: { contact: string; now: Date },
): Promise<void> {
  const block = await maybeOne(
    db,
    sql<{ kind: BlockedAddressKind; value: string; reason: string }>`
      select kind, value, reason from blocked_addresses
      where (ends_at is null or ends_at > ${now}) and (
        (kind <> 'network' and value = any(${email ? listBlockingValues(email) : []}::text[]))
        or (kind = 'network' and network >>= ${address && isIP(address) ? address : null}::inet))
      order by kind, value ${limit(1)}`,
  );
  if (!block) return;
  const { kind, reason } = block;
  const whom = contact
    ? msg("If this is a mistake, write to {contact}.", { contact })
    : msg("If this is a mistake, ask a member to tell the moderators.");
  const message =
    kind === "network"
      ? msg("Your network is blocked here. Reason: {reason} {whom}", { reason, whom })
      : msg("Addresses of “{value}” are blocked here. Reason: {reason} {whom}", {
          value: block.value,
          reason,
          whom,
        });
  throw new Refusal("not-allowed", message, kind === "network" ? {} : { fields: { email: message } });
}
