import { DAY, later } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { storable } from "#community/common";
import { isStaff, accountRules, type SignedIn, type Viewer } from "#community/rules";
import { establish } from "./establish.ts";
import type { AccountTx, House } from "./house.ts";
import { beginSanction, endSanction } from "./sanctions.ts";
import { endSessionsWhere } from "./sessions.ts";
import type { AccountState } from "./states.ts";
import { links, write } from "./write.ts";

type Sanction = { personId: string; state: "active" | "limited" | "suspended"; reason: string; until?: Date | null };
type Person = { state: AccountState; role: "member" | "moderator" | "admin" };

const MOST_REASON = 2_000;

/**
 * Limits, suspends or restores a person, who gets an email. A suspension ends sessions and sockets at once.
 * @throws `not-allowed` for all but staff, for people of the same rank or above, and for moderators who want
 * more than 30 days
 */
export async function setStatus(tx: Tx, viewer: Viewer, sanction: Sanction): Promise<void> {
  await change(tx, viewer, sanction);
  // An appeal against the sanction is obsolete now.
  if (sanction.state === "active")
    await run(
      tx,
      sql`delete from reports where person_id = ${sanction.personId} and reporter_id = person_id and appeal and resolved_at is null`,
    );
}

/**
 * Lifts the sanction of a person who appealed.
 * @throws `conflict` where it is over already, else like `setStatus`
 */
export async function overruleSanction(
  tx: Tx,
  viewer: SignedIn,
  { personId, reason }: { personId: string; reason: string },
): Promise<void> {
  const person = await governed(tx, viewer, personId);
  if (!["limited", "suspended"].includes(person.state)) throw new Refusal("conflict", "It is over already.");
  await change(tx, viewer, { personId, state: "active", reason });
}

async function change(tx: Tx, viewer: Viewer, { personId, state, reason: words, until = null }: Sanction): Promise<void> {
  const reason = storable(words).trim().slice(0, MOST_REASON);
  const person = await governed(tx, viewer, personId);
  if (!["active", "limited", "suspended"].includes(person.state)) throw new Refusal("conflict", "This account is not open.");
  if (state !== "active" && viewer.role !== "admin" && (until === null || until > later(tx.now, 30 * DAY)))
    throw new Refusal("not-allowed", "Moderators can do that for up to 30 days.", { fields: { until: "Up to 30 days." } });
  const [because, end] = state === "active" ? [null, null] : [reason, until];
  await run(
    tx,
    sql`
    update people set state = ${state}, state_reason = ${because}, state_until = ${end}, wrong_passwords = 0, locked_until = null, updated_at = ${tx.now} where id = ${personId}`,
  );
  if (state === "suspended") await endSessionsWhere(tx, personId);
  if (state !== "active") await beginSanction(tx, personId, viewer);
  const lifted = state === "active" && (await endSanction(tx, personId));
  await record(tx, viewer, `person.${state}`, personId, reason, { until: end });
  await announce(tx, { type: "person.status-changed", personId, state, lifted, by: viewer.id });
}

/** Changes a site role. Only admins may, never their own, and one active admin must remain. */
export async function setRole(tx: Tx, viewer: SignedIn, { personId, role }: { personId: string; role: Person["role"] }): Promise<void> {
  if (viewer.role !== "admin") throw new Refusal("not-allowed", "Only admins give roles.");
  if (personId === viewer.id) throw new Refusal("not-allowed", "Nobody changes their own role. Please ask another admin.");
  const person = await lockedPerson(tx, personId);
  if (person.role === "admin") await keepAnAdmin(tx, personId);
  await run(
    tx,
    sql`update people set site_role = ${role}, trust = case when ${role} = 'member' then trust else 'established' end where id = ${personId}`,
  );
  await record(tx, viewer, "person.role-given", personId, null, { before: person.role, after: role });
  await announce(tx, { type: "person.role-changed", personId, role, by: viewer.id });
}

/**
 * Approves a pending account and mails its person.
 * @throws `conflict` when it is not pending
 */
export const approve = (house: House, viewer: Viewer, personId: string): Promise<void> =>
  house.inTransaction((tx) => letIn(house, tx, viewer, personId));

/** The same within another transaction on them. */
export async function letIn(house: House, tx: AccountTx, viewer: Viewer, personId: string): Promise<void> {
  await waiting(tx, viewer, personId);
  await run(tx, sql`update people set state = 'active', updated_at = ${tx.now} where id = ${personId}`);
  await write(tx, "approved", personId, { link: links.login(house) });
  await record(tx, viewer, "person.approved", personId, null, {});
  await announce(tx, { type: "person.joined", personId });
  // A human has checked them.
  await establish(tx, personId);
  await tx.confirmed(personId);
}

/**
 * Declines a pending account and mails its person: the account is deleted, and the address may register
 * again.
 */
export const decline = (house: House, viewer: Viewer, { personId, reason: words }: { personId: string; reason: string }): Promise<void> =>
  house.inTransaction(async (tx) => {
    await waiting(tx, viewer, personId);
    const reason = storable(words).trim().slice(0, MOST_REASON);
    await write(tx, "declined", personId, { reason });
    await run(tx, sql`delete from people where id = ${personId}`);
    await record(tx, viewer, "person.declined", personId, reason, {});
    await announce(tx, { type: "person.turned-away", personId, by: viewer.id });
  });

async function waiting(tx: Tx, viewer: Viewer, personId: string) {
  const person = await governed(tx, viewer, personId);
  if (person.state !== "pending_approval") throw new Refusal("conflict", "This person does not wait for a decision any more.");
}

async function governed(tx: Tx, viewer: Viewer, personId: string): Promise<Person> {
  if (!isStaff(viewer)) throw new Refusal("not-allowed", "Only moderators and admins do that.");
  const person = await lockedPerson(tx, personId);
  if (!accountRules.decide(viewer, person)) throw new Refusal("not-allowed", "That is for somebody with a higher role.");
  return person;
}

async function lockedPerson(tx: Tx, personId: string): Promise<Person> {
  const person =
    isId(personId) && (await maybeOne(tx, sql<Person>`select state, site_role as role from people where id = ${personId} for update`));
  if (!person) throw notFound();
  return person;
}

/** @throws `conflict` when this is the last admin: a site without one could never recover */
export async function keepAnAdmin(tx: Tx, personId: string): Promise<void> {
  // All rows are locked in one order: of two admins who leave concurrently, one stays.
  const admins = await sql<{
    id: string;
  }>`select id from people where site_role = 'admin' and state in ('active', 'limited') order by id for update`.execute(tx);
  const ids = admins.rows.map((row) => row.id);
  if (ids.includes(personId) && ids.length === 1)
    throw new Refusal("conflict", "This is the last admin. Please make somebody else one first.");
}

const record = (tx: Tx, viewer: Viewer, act: string, personId: string, reason: string | null, details: object) =>
  run(
    tx,
    sql`
    insert into audit_events (id, at, actor_id, act, object_kind, object_id, reason, details)
    values (${tx.newId()}, ${tx.now}, ${viewer.id}, ${act}, 'person', ${personId}, ${reason}, ${JSON.stringify(details)}::jsonb)`,
  );
