import { later, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashOf, newSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { countMembership } from "./counted.ts";
import { deviceOf, noteDevice } from "./devices.ts";
import type { Door, From, SignIn, StartedSession } from "./door.ts";
import type { AccountTx, House } from "./house.ts";
import { cancelLinks } from "./mail-links.ts";
import { partyOf } from "./passkeys/party.ts";
import { sealPending } from "./pending.ts";
import { standingToken } from "./sanctions.ts";
import { startSession } from "./sessions.ts";
import { type AccountState, awaitingApproval, suspended, unverified } from "./states.ts";
import { makeRoom } from "./programs/policy.ts";
import { links, write } from "./write.ts";

/** A person who has proven to own an account, by any method. */
export type Owner = {
  id: string;
  username: string;
  name: string;
  email: string | null;
  locale: string;
  state: AccountState;
  because: string | null;
  until: Date | null;
  hasSecondStep: boolean;
};

/** Columns of the table `people`, without an alias. */
export const ownerColumns = sql`
  people.id, people.username, people.display_name as name, people.email, people.locale, people.state,
  people.state_reason as because, people.state_until as until,
  (people.passkey_step_at is not null
    or exists (select 1 from totp_secrets t where t.person_id = people.id and t.confirmed_at is not null)) as "hasSecondStep"`;

export type Way = { stay: boolean; from: From; door: Door };

/**
 * Continues the sign-in of a proven owner: refuses by account state, asks for two-factor, or starts a
 * session.
 */
export async function enter(house: House, owner: Owner, way: Way): Promise<SignIn> {
  refuseByState(house, owner);
  return house.inTransaction((tx) => enterIn(house, tx, owner, way));
}

/** The same inside a transaction that has more to do. Call `assertCanSignIn` first. */
export async function enterIn(house: House, tx: AccountTx, owner: Owner, way: Way): Promise<SignIn> {
  if (owner.hasSecondStep)
    return { kind: "second-step", halfToken: await stopHalfWay(tx, owner.id, way.stay), passkey: await hasPasskey(house, tx, owner.id) };
  return { kind: "signed-in", session: await goIn(house, tx, owner.id, way) };
}

/** @throws `SignInRefusal` for accounts that wait for something or are suspended */
export function refuseByState(house: House, owner: Owner): void {
  const { state, because, until, id, email, username, name, locale } = owner;
  const pending = () => sealPending(house, { id, email: email ?? "", username, name, locale, passwordHash: null, writtenAt: null });
  if (state === "unverified") throw unverified(pending());
  if (state === "pending_approval") throw awaitingApproval(pending());
  if (state === "suspended" && (until === null || until > house.now())) throw suspended(because, until, standingToken(house, id));
}

const hasPasskey = async (house: House, db: Db, personId: string): Promise<boolean> =>
  (await maybeOne(db, sql`select from passkeys where person_id = ${personId} and party = ${partyOf(house.origin())?.id ?? ""} limit 1`)) !==
  undefined;

async function stopHalfWay(tx: AccountTx, personId: string, stay: boolean): Promise<string> {
  const token = newSecret();
  await run(
    tx,
    sql`
    insert into half_sign_ins (token_hash, person_id, stay, expires_at) values (${hashOf(token)}, ${personId}, ${stay}, ${later(tx.now, 10 * MINUTE)})`,
  );
  return token;
}

/** Completes a sign-in after all factors. Signing in undoes a deactivation and ends expired sanctions. */
export async function goIn(house: House, tx: AccountTx, personId: string, way: Way): Promise<StartedSession> {
  // The row stays locked to the end: a concurrent suspension either sees this session or prevents it.
  const person = await maybeOne(
    tx,
    sql<{ state: AccountState; cameBack: boolean }>`
    update people p set seen_at = ${tx.now}, deactivated_at = null, leaving = null,
      state = case
        when p.state = 'deactivated' and p.state_reason is not null and (p.state_until is null or p.state_until > ${tx.now}) then 'limited'
        when p.state = 'deactivated' or (p.state in ('suspended', 'limited') and p.state_until <= ${tx.now}) then 'active'
        else p.state end
    from (select id, state from people where id = ${personId} for no key update) before
    where p.id = before.id returning p.state, before.state = 'deactivated' as "cameBack"`,
  );
  if (!person || !["active", "limited"].includes(person.state)) throw new Refusal("not-allowed", "This account is not open.");
  if (person.cameBack) await countMembership(tx, personId, 1);
  await cancelLinks(tx, personId, ["reset_password"]);
  if (way.door === "wire") await makeRoom(tx, personId);
  const { isNew, deviceSecret } = await noteDevice(tx, personId, way.from);
  const session = await startSession(tx, { personId, ...way });
  if (isNew) await write(tx, "newDevice", personId, { link: links.askForReset(house), device: deviceName(way) });
  return { ...session, deviceSecret };
}

const deviceName = ({ from, door }: Way) => (door === "wire" ? `${deviceOf(from.userAgent)} (API)` : deviceOf(from.userAgent));
