import { randomBytes } from "node:crypto";
import { addPerson, localeOf } from "./add-person.ts";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import { noteDevice } from "./devices.ts";
import type { Door, From, StartedSession } from "./door.ts";
import type { House } from "./house.ts";
import { startSession } from "./sessions.ts";

/** A guest of a program: somebody to keep things for, whom nobody else sees. Registering makes a member of them. */
export async function signInAsGuest(house: House, from: From, door: Door): Promise<StartedSession> {
  if (!from.trusted) await house.limits.take("guests", ALLOWANCES.guests, placeOf(from.address));
  return house.inTransaction(async (tx) => {
    const username = `guest.${randomBytes(7).toString("hex")}`;
    const personId = await addPerson(tx, { username, name: "Guest", state: "guest", locale: localeOf(from.acceptLanguage) });
    const { deviceSecret } = await noteDevice(tx, personId, from);
    return { ...(await startSession(tx, { personId, door, stay: true, from })), deviceSecret };
  });
}
