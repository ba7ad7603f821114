import { MINUTE } from "#platform/clock";
import { type Db, isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf, isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { OPERATOR, personRules, type Viewer } from "#community/rules";
import { writeAccountMailLater } from "../account-mail.ts";
import { ALLOWANCES, placeOf } from "../allowances.ts";
import { askNewAddress, rename } from "../change.ts";
import { mindRename } from "../renaming.ts";
import type { From, StartedSession } from "../door.ts";
import { goIn, type Owner, ownerColumns, refuseByState } from "../enter.ts";
import { DisplayName, emailForm } from "../forms.ts";
import { accountTx, type AccountTx, type House } from "../house.ts";
import { issueLink } from "../mail-links.ts";
import { noteConfirmed } from "../open-account.ts";
import { checkApiPassword } from "../password-rules.ts";
import { hashPassword } from "../passwords.ts";
import { addressTaken, usernameTaken } from "../register.ts";
import { isStaffMember, sendResetLink, setPassword } from "../reset.ts";
import { provePassword } from "../sign-in.ts";
import type { AccountState } from "../states.ts";
import { letIn, setStatus } from "../status.ts";
import { visiblePeople } from "../visible.ts";
import { links, write } from "../write.ts";
import { assertRoom, settleProperties } from "./properties.ts";
import { noSuchUser, personNamed, type ProgramUser, programUserFor } from "./users.ts";

/**
 * Starts a session for a person without a password, for API clients with the server key. Account state is
 * checked as in every sign-in.
 */
export async function enterAs(house: House, viewer: Viewer, personId: string, from: From): Promise<StartedSession> {
  const person = personRules.actAs(viewer) ? await personNamed(house.database.db, personId) : undefined;
  if (person?.id !== personId.toLowerCase()) throw noSuchUser(personId);
  const owner = await maybeOne(house.database.db, sql<Owner>`select ${ownerColumns} from people where id = ${personId}`);
  refuseByState(house, owner!);
  return house.inTransaction((tx) => goIn(house, tx, personId, { stay: true, from, door: "wire" }));
}

/** Returns whether this is the viewer's password. Limited like every proof: `too-many`. */
export async function passwordHolds(house: House, viewer: Viewer & { id: string }, password: string): Promise<boolean> {
  try {
    await provePassword(house, viewer.id, password, "password");
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "invalid") return false;
    throw error;
  }
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The viewer may learn that an account exists: admins, and everyone where addresses are not secret. */
const mayKnow = async (house: House, viewer: Viewer) => personRules.actAs(viewer) || !(await house.settings.get()).confirmAddress;

const unknownIdentity = (identity: string) =>
  new Refusal("not-found", `There is no account called '${identity.slice(0, 100)}'.`, { kind: "identity-unknown" });

/** Mails the link to set a password to a person named by address, username or id. */
export async function restorePassword(house: House, viewer: Viewer, identity: string, from: From): Promise<void> {
  const person = await personNamed(house.database.db, identity);
  if (!person?.email && (await mayKnow(house, viewer))) throw unknownIdentity(identity);
  await sendResetLink(house, person?.email ?? identity, from);
}

/** Resends the confirmation to a person whose address is not confirmed; has no visible effect otherwise. */
export async function confirmAgain(house: House, viewer: Viewer, identity: string, from: From): Promise<void> {
  const person = await personNamed(house.database.db, identity);
  if (!person && (await mayKnow(house, viewer))) throw unknownIdentity(identity);
  if (!from.trusted) await house.limits.take("resend-address", ALLOWANCES.resendAddress, placeOf(from.address));
  // Counted by the requested identity, so that the limit does not reveal whether an account is pending.
  await house.limits.take("resend", ALLOWANCES.resend, hashOf(identity.trim().toLowerCase()).toString("base64url"));
  await house.inTransaction((tx) => writeAccountMailLater(tx, { kind: "confirm", personId: person?.id ?? NOBODY }));
}

/**
 * The confirmation link for an API client that sends its own emails. Having it confirms the address, so that
 * only the server key may, unless the API has the defaults of the hosted service.
 */
export async function confirmationLink(house: House, viewer: Viewer, identity: string): Promise<string> {
  const hosted = (await house.settings.get()).apiDefaults === "hosted";
  const person = hosted || personRules.actAs(viewer) ? await personNamed(house.database.db, identity) : undefined;
  if (person?.state !== "unverified" || !person.email) throw unknownIdentity(identity);
  const { id: personId, email } = person;
  const token = await house.inTransaction((tx) => issueLink(tx, { personId, email, purpose: "confirm" }));
  return links.confirm(house, token);
}

/**
 * Enables or disables an account.
 * @throws `not-allowed` for all but staff, and for people of the same rank
 */
export async function setUserStatus(house: House, viewer: Viewer, personId: string, status: Status): Promise<void> {
  const person = await personNamed(house.database.db, personId);
  if (!person || !personRules.edit(viewer, person)) throw noSuchUser(personId);
  await house.inTransaction((tx) => openOrShut(house, tx, viewer, person, status));
}

async function openOrShut(house: House, tx: AccountTx, viewer: Viewer, { id, state }: { id: string; state: AccountState }, status: Status) {
  if (status === "ENABLED" && state === "pending_approval") return letIn(house, tx, viewer, id);
  if (status === "ENABLED" && state === "unverified") return noteConfirmed(tx, id);
  await setStatus(tx, viewer, { personId: id, state: status === "ENABLED" ? "active" : "suspended", reason: "" });
}

type Status = "ENABLED" | "DISABLED";

export type ProgramChanges = {
  name?: string | undefined;
  email?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  locale?: string | undefined;
  /** For staff: whether the account is enabled. */
  status?: Status | undefined;
  /** Properties that API clients keep of the person. */
  properties: Record<string, unknown>;
};
export type Changing = {
  /** Start of the session: a recent sign-in proves the password. */
  session: { id: string; createdAt: Date } | null;
  /** Creates unknown properties. */
  growing: boolean;
};

const JUST_NOW = 15 * MINUTE;

/**
 * Changes an account through the API: one's own, or any as an admin. A new address or password of one's own
 * needs a recent session; a new address applies once confirmed. With the hosted defaults, members may also
 * change names and properties of other members. All or nothing is changed.
 * @throws `not-found`, `invalid` by field, `conflict` for a taken name
 */
export async function changeUser(house: House, viewer: Viewer, id: string, changes: ProgramChanges, by: Changing): Promise<ProgramUser> {
  const plan = await planChange(house, viewer, id, changes, by);
  await house.inTransaction((tx) => applyChange(house, tx, viewer, plan));
  return changedUser(house.database.db, viewer, plan);
}

/** The same in the caller's transaction, with a plan of `planApiUserChange`. */
export async function changeUserWithin(house: House, tx: Tx, viewer: Viewer, plan: ChangePlan): Promise<void> {
  await applyChange(house, accountTx(house, tx, await house.settings.get()), viewer, plan);
}

/** A checked change with its password hashed, before the transaction that stores it. */
export type ChangePlan = { before: ProgramUser; meant: ProgramChanges; passwordHash: string | null; own: boolean; by: Changing };

/**
 * Checks a change before its transaction.
 * @throws like `changeApiUser`
 */
export async function planChange(house: House, viewer: Viewer, id: string, changes: ProgramChanges, by: Changing): Promise<ChangePlan> {
  const before = await userToChange(house, viewer, id);
  const meant = settled(before, changes, (await house.settings.get()).apiDefaults === "hosted");
  const own = viewer.id === before.id;
  if (!own && !personRules.edit(viewer, before)) assertOnlyShared(meant);
  if (own && (meant.email !== undefined || meant.password !== undefined)) assertFresh(house, by.session);
  const passwordHash = meant.password === undefined ? null : await newHash(house, before, meant.password);
  return { before, meant, passwordHash, own, by };
}

async function applyChange(house: House, tx: AccountTx, viewer: Viewer, { before, meant, passwordHash, own, by }: ChangePlan) {
  try {
    if (meant.username !== undefined) await rename(tx, before.id, meant.username);
    if (meant.name !== undefined) await mindRename(tx, viewer, "people", before.id, meant.name);
    await store(tx, before.id, { ...meant, properties: await settleProperties(tx, meant.properties, by.growing) });
    if (meant.email !== undefined) await (own ? askNewAddress(house, tx, before.id, meant.email) : setAddress(tx, before.id, meant.email));
    if (passwordHash !== null) await setPassword(tx, before.id, passwordHash, own ? by.session!.id : null);
    if (meant.status !== undefined) await openOrShut(house, tx, viewer, { id: before.id, state: before.own!.state }, meant.status);
    if (passwordHash !== null) await write(tx, "passwordChanged", before.id, { link: links.askForReset(house) });
  } catch (error) {
    if (isUniqueViolation(error, "people_email")) throw addressTaken();
    if (isUniqueViolation(error, "people_username")) throw usernameTaken();
    throw error;
  }
}

/** The user to change: oneself, anyone for admins, and with the hosted defaults any visible member. */
async function userToChange(house: House, viewer: Viewer, id: string): Promise<ProgramUser> {
  const { apiDefaults } = await house.settings.get();
  const shared = apiDefaults === "hosted" && isId(id) && personRules.changeShared(viewer) && (await isMemberSeenBy(house, viewer, id));
  return programUserFor(house.database.db, shared ? OPERATOR : viewer, id);
}

const isMemberSeenBy = async (house: House, viewer: Viewer, id: string): Promise<boolean> =>
  (await maybeOne(
    house.database.db,
    sql`select from people p where p.id = ${id} and p.site_role = 'member' and p.id <> ${viewer.id} and ${visiblePeople(viewer)}`,
  )) !== undefined;

/** Credentials of others cannot be changed, however open the API is. */
function assertOnlyShared({ email, username, password, status }: ProgramChanges): void {
  if ([email, username, password, status].every((it) => it === undefined)) return;
  throw new Refusal("not-allowed", "Email, username, password and status of somebody else are changed with the server key.");
}

/** A user after a change; of another member only what may be changed. */
async function changedUser(db: Db, viewer: Viewer, { before, own }: ChangePlan): Promise<ProgramUser> {
  if (own || personRules.edit(viewer, before)) return programUserFor(db, viewer, before.id);
  const { own: all, ...user } = await programUserFor(db, OPERATOR, before.id);
  return { ...user, own: null, shared: all!.properties };
}

/** Keeps only values that differ, normalized. */
function settled({ name, username, own }: ProgramUser, { email, ...changes }: ProgramChanges, hosted: boolean): ProgramChanges {
  const read = email === undefined || email.toLowerCase() === own!.email?.toLowerCase() ? null : emailForm(hosted).safeParse(email);
  if (read?.success === false) throw new Refusal("invalid", read.error.issues[0]!.message, { kind: "bad-email" });
  const called = changes.name === undefined || changes.name === name ? null : DisplayName.safeParse(changes.name);
  if (called?.success === false) throw invalid("name", called.error.issues[0]!.message);
  return {
    ...changes,
    name: called?.data,
    email: read?.data,
    username: changes.username?.toLowerCase() === username ? undefined : changes.username,
  };
}

function assertFresh(house: House, session: Changing["session"]) {
  if (session && house.now().getTime() - session.createdAt.getTime() <= JUST_NOW) return;
  throw new Refusal("not-allowed", "Please sign in again first: a new address or password wants a session that has just begun.");
}

async function newHash(house: House, { id, username, own }: ProgramUser, password: string): Promise<string> {
  const owner = { username, email: own!.email, staff: await isStaffMember(house, id) };
  await checkApiPassword(await house.settings.get(), password, owner);
  return hashPassword(password);
}

async function store(tx: AccountTx, id: string, { name, locale, properties }: ProgramChanges): Promise<void> {
  const kept = await maybeOne(
    tx,
    sql<{ properties: Record<string, unknown> }>`
    update people set display_name = coalesce(${name ?? null}::text, display_name), locale = coalesce(${locale ?? null}::text, locale),
      properties = properties || ${JSON.stringify(properties)}::jsonb, updated_at = ${tx.now}
    where id = ${id} and state <> 'erased' returning properties`,
  );
  if (kept) assertRoom(kept.properties);
  await announce(tx, { type: "person.changed", personId: id });
}

const setAddress = (tx: AccountTx, id: string, email: string) =>
  run(tx, sql`update people set email = ${email}, email_confirmed_at = ${tx.now} where id = ${id}`);
