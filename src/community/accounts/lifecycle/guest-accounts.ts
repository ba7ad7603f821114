import { randomBytes } from "node:crypto";
import { clientNetwork } from "#platform/client-address";
import { run, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { addPerson, parseLocale, type NewPerson } from "../registration/add-person.ts";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import { rememberDevice } from "../sessions/known-devices.ts";
import type { SessionKind, ClientInfo, StartedSession } from "../types.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { startSession } from "../sessions/sessions.ts";

/**
 * Starts a session for a guest of an API client: an account that stores data and is invisible to others.
 * Registering turns it into a member.
 */
export async function signInAsGuest(
  app: Pick<AccountsContext, "database" | "limits" | "settings">,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<StartedSession> {
  if (!from.trusted) await app.limits.take("guests", ACCOUNT_LIMITS.guests, clientNetwork(from.address));
  return inAccountTransaction(app, async (tx) => {
    const username = `guest.${randomBytes(7).toString("hex")}`;
    const personId = await addPerson(tx, {
      username,
      name: "Guest",
      state: "guest",
      locale: parseLocale(from.acceptLanguage),
    });
    const { deviceSecret } = await rememberDevice(tx, personId, from);
    return { ...(await startSession(tx, { personId, sessionKind, stay: true, from })), deviceSecret };
  });
}

/**
 * Turns a guest into a person whose account is not open yet; the guest's stored data is kept. Returns the
 * id.
 */
export async function convertGuestToMember(
  tx: Tx,
  guestId: string,
  person: Omit<NewPerson, "id" | "state">,
): Promise<string> {
  const {
    username,
    name,
    email = null,
    emailConfirmed = false,
    passwordHash = null,
    properties = {},
  } = person;
  const changed = await run(
    tx,
    sql`
    update people set email = ${email}, email_confirmed_at = ${email && emailConfirmed ? tx.now : null},
      username = ${username},
      display_name = ${name}, password_hash = ${passwordHash},
      password_changed_at = ${passwordHash ? tx.now : null}, state = 'unverified',
      properties = properties || ${JSON.stringify(properties)}::jsonb, updated_at = ${tx.now}
    where id = ${guestId} and state = 'guest'`,
  );
  if (changed === 0) throw invalid("email", "This guest account has already become a member account.");
  return guestId;
}
