import { randomBytes } from "node:crypto";
import { run, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { addPerson, localeOf, type NewPerson } from "./add-person.ts";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import { noteDevice } from "./devices.ts";
import type { Door, From, StartedSession } from "./door.ts";
import type { House } from "./house.ts";
import { startSession } from "./sessions.ts";

/**
 * Starts a session for a guest of an API client: an account that stores data and is invisible to others.
 * Registering turns it into a member.
 */
export async function signInAsGuest(house: House, from: From, door: Door): Promise<StartedSession> {
  if (!from.trusted) await house.limits.take("guests", ALLOWANCES.guests, placeOf(from.address));
  return house.inTransaction(async (tx) => {
    const username = `guest.${randomBytes(7).toString("hex")}`;
    const personId = await addPerson(tx, { username, name: "Guest", state: "guest", locale: localeOf(from.acceptLanguage) });
    const { deviceSecret } = await noteDevice(tx, personId, from);
    return { ...(await startSession(tx, { personId, door, stay: true, from })), deviceSecret };
  });
}

/** Turns a guest into a person with an unopened account; stored data stays theirs. Returns the id. */
export async function becomeMember(tx: Tx, guestId: string, person: Omit<NewPerson, "id" | "state">): Promise<string> {
  const { username, name, email = null, emailConfirmed = false, passwordHash = null, properties = {} } = person;
  const changed = await run(
    tx,
    sql`
    update people set email = ${email}, email_confirmed_at = ${email && emailConfirmed ? tx.now : null}, username = ${username},
      display_name = ${name}, password_hash = ${passwordHash}, password_changed_at = ${passwordHash ? tx.now : null}, state = 'unverified',
      properties = properties || ${JSON.stringify(properties)}::jsonb, updated_at = ${tx.now}
    where id = ${guestId} and state = 'guest'`,
  );
  if (changed === 0) throw invalid("email", "This guest account has become a member's already.");
  return guestId;
}
