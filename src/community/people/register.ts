import { DAY, SECOND } from "#platform/clock";
import { type Db, isUniqueViolation, maybeOne, run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { writeAccountMailLater } from "./account-mail.ts";
import { addPerson, localeOf } from "./add-person.ts";
import { accountsPerDay, placeOf, registrationTries } from "./allowances.ts";
import type { Door, From, Registered, Said } from "./door.ts";
import type { NewAccount } from "./forms.ts";
import { closed, passGate } from "./gate.ts";
import type { AccountTx, House } from "./house.ts";
import { becomeMember } from "./guests.ts";
import { checkApiPassword, checkPassword } from "./password-rules.ts";
import { hashPassword } from "./passwords.ts";
import { type Pending, sealPending } from "./pending.ts";
import { openAccount } from "./open-account.ts";
import { suggestUsername, takenOf } from "./usernames.ts";
import { noteRegistration } from "./welcome.ts";

/** Protection of the form against bots: a honeypot field, and the time at which the form was rendered. */
export type Guard = { honeypot: string; started: string };
/** `invitation` is the token a person came with; where registration needs one, it must be valid. */
type Options = {
  guard?: Guard;
  guestId?: string | undefined;
  invitation?: string | undefined;
  properties?: Record<string, unknown>;
  said?: Said;
  /** `wire` for API clients, whose password rules are a setting. */
  door?: Door;
};

const QUICKEST = 2 * SECOND;

export async function register(
  house: House,
  input: NewAccount,
  from: From,
  { guard, guestId, invitation, properties, said, door = "web" }: Options = {},
): Promise<Registered> {
  const site = await house.settings.get();
  if (site.registration === "closed" && invitation === undefined) throw closed();
  if (guard) checkStart(house, guard);
  const place = placeOf(from.address);
  if (site.registrationTries > 0 && !from.trusted) await house.limits.take("register", registrationTries(site.registrationTries), place);
  const username = await chooseUsername(house.database.db, input, guestId);
  await (door === "wire"
    ? checkApiPassword(site, input.password, { username, email: input.email })
    : checkPassword(input.password, { username, email: input.email }));
  if (site.accountsPerAddress > 0 && !from.trusted) await house.limits.take("accounts", accountsPerDay(site.accountsPerAddress), place);
  // Hashed whether the address is free or not, so that both take the same time.
  const passwordHash = await hashPassword(input.password);
  const wanted = {
    email: input.email,
    username,
    name: input.name,
    passwordHash,
    locale: localeOf(from.acceptLanguage),
    invitation,
    properties,
  };
  if (guard && guard.honeypot !== "") return pretend(house, wanted);
  const profile = door === "wire" && site.apiDefaults === "hosted" ? ("everyone" as const) : undefined;
  return begin(house, wanted, { free: input.username === undefined, guestId, said, profile });
}

/** Bots submit a form at once, or one that they stored. */
function checkStart(house: House, { started }: Guard) {
  const now = house.now();
  const form = house.sealer.unseal("form", started, now, 7 * DAY);
  if (!form) throw new Refusal("invalid", "This form has been lying around for too long. Please send it once more.");
  if (now.getTime() - form.sealedAt < QUICKEST) throw new Refusal("invalid", "That was very quick. Please send the form once more.");
}

async function chooseUsername(db: Db, { username, name }: NewAccount, guestId: string | undefined): Promise<string> {
  if (username === undefined) return suggestUsername(db, name);
  const own = guestId && (await maybeOne(db, sql`select 1 from people where id = ${guestId} and username = ${username}`));
  if (!own && (await takenOf(db, [username])).has(username)) throw usernameTaken();
  return username;
}

export const usernameTaken = () =>
  new Refusal("conflict", "Somebody has that name already.", {
    fields: { username: "Somebody has that name already." },
    kind: "identity-taken",
  });

type Wanted = Omit<Pending, "id" | "writtenAt">;

/** A bot gets the usual success response. */
const pretend = (house: House, wanted: Wanted): Promise<Registered> =>
  house.inTransaction(async (tx) => {
    const id = tx.newId();
    return {
      id,
      username: wanted.username,
      state: "unverified",
      pending: sealPending(house, { id, ...wanted, writtenAt: tx.now.getTime() }),
    };
  });

/** Not sealed into the browser's cookie, which would get too long; asked again for a corrected address. */
type Beginning = {
  guestId?: string | undefined;
  said?: Said | undefined;
  /** Audience of the new profile, where it differs from the default. */
  profile?: "everyone" | undefined;
};

/** The database decides between concurrent requests for one name or address; the loser tries again. */
async function begin(house: House, wanted: Wanted, options: Beginning & { free: boolean }, tries = 3): Promise<Registered> {
  try {
    return await house.inTransaction((tx) => enterIn(house, tx, wanted, options));
  } catch (error) {
    if (!isUniqueViolation(error) || tries === 1) throw error;
    if (!isUniqueViolation(error, "people_username")) return begin(house, wanted, options, tries - 1);
    if (!options.free) throw usernameTaken();
    const username = await suggestUsername(house.database.db, wanted.name);
    return begin(house, { ...wanted, username }, options, tries - 1);
  }
}

async function enterIn(house: House, tx: AccountTx, wanted: Wanted, by: Beginning): Promise<Registered> {
  const id = tx.newId();
  await passGate(tx, { invitation: wanted.invitation, email: wanted.email, who: wanted.email, personId: by.guestId ?? id });
  return beginIn(house, tx, { id, ...wanted }, by);
}

type Owner = { id: string; state: string };

/**
 * Creates an account. If the address is taken, the account is created without it and the owner is notified:
 * the caller sees no difference in the result, in reserved names, or in the time it takes.
 */
export async function beginIn(
  house: House,
  tx: AccountTx,
  wanted: Wanted & { id: string },
  { guestId, said, profile }: Beginning = {},
): Promise<Registered> {
  const owner = await maybeOne(tx, sql<Owner>`select id, state from people where lower(email) = lower(${wanted.email}) for update`);
  const taken = owner !== undefined && owner.state !== "unverified";
  if (taken && !tx.site.confirmAddress) throw addressTaken();
  // An unconfirmed account holds no claim on the address: the latest registration replaces it and its link.
  await run(tx, sql`delete from people where lower(email) = lower(${wanted.email}) and state = 'unverified'`);
  const guest = taken ? undefined : guestId;
  const id = guest ?? wanted.id;
  const person = { ...wanted, id, email: taken ? null : wanted.email };
  await (guest ? becomeMember(tx, guest, person) : addPerson(tx, { ...person, state: "unverified" }));
  if (said) await noteRegistration(tx, id, said);
  if (profile) await run(tx, sql`update people set privacy = privacy || jsonb_build_object('profile', ${profile}::text) where id = ${id}`);
  const answer = { id, username: wanted.username, pending: sealPending(house, { ...wanted, id, writtenAt: tx.now.getTime() }) };
  if (!tx.site.confirmAddress) return { ...answer, state: await openAccount(tx, id) };
  await writeAccountMailLater(tx, { kind: "registered", email: wanted.email, personId: id });
  return { ...answer, state: "unverified" };
}

export const addressTaken = () =>
  new Refusal("conflict", "There is an account with that address already.", {
    fields: { email: "There is an account with that address already." },
    kind: "identity-taken",
  });
