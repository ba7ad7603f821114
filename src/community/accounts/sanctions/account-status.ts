import { DAY, addMilliseconds } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { toStorableText } from "#community/common";
import { isStaff, accountRules, type SignedIn, type Viewer } from "#community/rules";
import { markEstablished } from "../lifecycle/establish-trust.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { beginSanction, endSanction } from "./own-sanction.ts";
import { revokeAllAccessTokens } from "../access-tokens/access-tokens.ts";
import { endSessionsWhere } from "../sessions/sessions.ts";
import type { AccountState } from "../lifecycle/account-states.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";

type NewSanction = {
  personId: string;
  state: "active" | "limited" | "suspended";
  reason: string;
  until?: Date | null;
};
type PersonStatus = { state: AccountState; role: "member" | "moderator" | "admin" };

const MAX_REASON = 2_000;

/**
 * Limits, suspends or restores a person and mails them. A suspension ends sessions and sockets at once.
 * @throws `not-allowed` for all but staff, for people of the same rank or above, and for moderators who want
 * more than 30 days
 */
export async function setStatus(tx: Tx, viewer: Viewer, sanction: NewSanction): Promise<void> {
  await changeStatus(tx, viewer, sanction);
  // An appeal against the sanction is obsolete once the sanction is lifted.
  if (sanction.state === "active")
    await run(
      tx,
      sql`delete from reports where person_id = ${sanction.personId} and reporter_id = person_id and appeal
        and resolved_at is null`,
    );
}

/**
 * Lifts the sanction of a person who appealed.
 * @throws `conflict` if the sanction has ended already, otherwise like `setStatus`
 */
export async function overruleSanction(
  tx: Tx,
  viewer: SignedIn,
  { personId, reason }: { personId: string; reason: string },
): Promise<void> {
  const person = await getLowerRankedPerson(tx, viewer, personId);
  if (!["limited", "suspended"].includes(person.state))
    throw new Refusal("conflict", "This restriction or suspension has already ended.");
  await changeStatus(tx, viewer, { personId, state: "active", reason });
}

async function changeStatus(
  tx: Tx,
  viewer: Viewer,
  { personId, state, reason: words, until = null }: NewSanction,
): Promise<void> {
  const reason = toStorableText(words).trim().slice(0, MAX_REASON);
  const person = await getLowerRankedPerson(tx, viewer, personId);
  if (!["active", "limited", "suspended"].includes(person.state))
    throw new Refusal("conflict", "This account is not active.");
  if (
    state !== "active" &&
    viewer.role !== "admin" &&
    (until === null || until > addMilliseconds(tx.now, 30 * DAY))
  )
    throw new Refusal("not-allowed", "Moderators can do this for at most 30 days.", {
      fields: { until: "At most 30 days." },
    });
  const [because, end] = state === "active" ? [null, null] : [reason, until];
  await run(
    tx,
    sql`
    update people set state = ${state}, state_reason = ${because}, state_until = ${end}, wrong_passwords = 0,
      locked_until = null, updated_at = ${tx.now} where id = ${personId}`,
  );
  if (state === "suspended") {
    await endSessionsWhere(tx, personId);
    await revokeAllAccessTokens(tx, personId);
  }
  if (state !== "active") await beginSanction(tx, personId, viewer);
  const lifted = state === "active" && (await endSanction(tx, personId));
  await recordAudit(tx, viewer, `person.${state}`, personId, reason, { until: end });
  await emit(tx, { type: "person.status-changed", personId, state, lifted, by: viewer.id });
}

/** Changes a site role. Only admins may, never their own, and one active admin must remain. */
export async function setRole(
  tx: Tx,
  viewer: SignedIn,
  { personId, role }: { personId: string; role: PersonStatus["role"] },
): Promise<void> {
  if (viewer.role !== "admin") throw new Refusal("not-allowed", "Only admins can change roles.");
  if (personId === viewer.id)
    throw new Refusal("not-allowed", "You cannot change your own role. Ask another admin.");
  const person = await lockPerson(tx, personId);
  if (person.role === "admin") await assertAdminRemains(tx, personId);
  await run(
    tx,
    sql`update people set site_role = ${role}, trust = case when ${role} = 'member' then trust
      else 'established' end where id = ${personId}`,
  );
  await recordAudit(tx, viewer, "person.role-given", personId, null, { before: person.role, after: role });
  await emit(tx, { type: "person.role-changed", personId, role, by: viewer.id });
}

/**
 * Approves a pending account and mails the person.
 * @throws `conflict` when it is not pending
 */
export const approveAccount = (
  app: Pick<AccountsContext, "database" | "settings" | "origin" | "accountHooks">,
  viewer: Viewer,
  personId: string,
): Promise<void> => inAccountTransaction(app, (tx) => approveAccountWithin(app, tx, viewer, personId));

/** `approveAccount` in the caller's transaction. */
export async function approveAccountWithin(
  app: Pick<AccountsContext, "origin" | "accountHooks">,
  tx: AccountTx,
  viewer: Viewer,
  personId: string,
): Promise<void> {
  await getPendingPerson(tx, viewer, personId);
  await run(tx, sql`update people set state = 'active', updated_at = ${tx.now} where id = ${personId}`);
  await sendAccountMail(tx, "approved", personId, { link: accountMailLinks.login(app) });
  await recordAudit(tx, viewer, "person.approved", personId, null, {});
  await emit(tx, { type: "person.joined", personId });
  // A staff member has checked the person.
  await markEstablished(tx, personId);
  await app.accountHooks.afterConfirming?.(tx, personId);
}

/**
 * Declines a pending account and mails the person, with the reason if there is one.
 * @throws like `approveAccount`
 */
export const declineAccount = (
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: Viewer,
  { personId, reason: words }: { personId: string; reason: string },
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    await getPendingPerson(tx, viewer, personId);
    const reason = toStorableText(words).trim().slice(0, MAX_REASON);
    await sendAccountMail(tx, "declined", personId, { reason });
    await run(tx, sql`delete from people where id = ${personId}`);
    await recordAudit(tx, viewer, "person.declined", personId, reason, {});
    await emit(tx, { type: "person.turned-away", personId, by: viewer.id });
  });

async function getPendingPerson(tx: Tx, viewer: Viewer, personId: string) {
  const person = await getLowerRankedPerson(tx, viewer, personId);
  if (person.state !== "pending_approval")
    throw new Refusal("conflict", "This registration has already been decided.");
}

async function getLowerRankedPerson(tx: Tx, viewer: Viewer, personId: string): Promise<PersonStatus> {
  if (!isStaff(viewer)) throw new Refusal("not-allowed", "Only moderators and admins can do this.");
  const person = await lockPerson(tx, personId);
  if (!accountRules.decide(viewer, person))
    throw new Refusal("not-allowed", "You need a higher role for this.");
  return person;
}

async function lockPerson(tx: Tx, personId: string): Promise<PersonStatus> {
  const person =
    isId(personId) &&
    (await maybeOne(
      tx,
      sql<PersonStatus>`select state, site_role as role from people where id = ${personId} for update`,
    ));
  if (!person) throw notFound();
  return person;
}

/**
 * Asserts that another admin remains: a site without one could never recover.
 * @throws `conflict` when this is the last admin
 */
export async function assertAdminRemains(tx: Tx, personId: string): Promise<void> {
  // All rows are locked in one order: of two admins who leave concurrently, one is refused.
  const admins = await many(
    tx,
    sql<{ id: string }>`
      select id from people where site_role = 'admin' and state in ('active', 'limited') order by id for update`,
  );
  const ids = admins.map((row) => row.id);
  if (ids.includes(personId) && ids.length === 1)
    throw new Refusal("conflict", "This is the last admin. Make someone else an admin first.");
}

const recordAudit = (
  tx: Tx,
  viewer: Viewer,
  act: string,
  personId: string,
  reason: string | null,
  details: object,
) =>
  run(
    tx,
    sql`
    insert into audit_events (id, at, actor_id, act, object_kind, object_id, reason, details)
    values (${tx.newId()}, ${tx.now}, ${viewer.id}, ${act}, 'person', ${personId}, ${reason},
      ${JSON.stringify(details)}::jsonb)`,
  );
