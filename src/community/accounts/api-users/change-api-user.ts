import { MINUTE } from "#platform/clock";
import { type Db, isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { issueMessage } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { OPERATOR, personRules, type Viewer } from "#community/rules";
import { requestNewAddress, renamePerson } from "../profiles/account-changes.ts";
import { assertRenameLimit } from "../profiles/rename-limit.ts";
import { DisplayName, emailForm } from "../account-forms.ts";
import {
  inAccountTransaction,
  toAccountTx,
  type AccountTx,
  type AccountsContext,
  type SessionsContext,
} from "../accounts-context.ts";
import { assertApiPasswordAllowed } from "../sign-in/password-rules.ts";
import { hashPassword } from "../sign-in/password-hashing.ts";
import { addressTaken, usernameTaken } from "../registration/register.ts";
import { isStaffAccount, setPassword } from "../sign-in/password-reset.ts";
import { isPersonVisible } from "../profiles/people-visibility.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";
import { assertPropertiesFit, normalizeProperties } from "./user-properties.ts";
import { type ApiUser, getApiUser } from "./api-users.ts";
import { setUserEnabled, type ApiUserStatus } from "./manage-api-users.ts";

export type ApiUserChanges = {
  name?: string | undefined;
  email?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  locale?: string | undefined;
  /** Whether the account is enabled. Only staff may change this. */
  status?: ApiUserStatus | undefined;
  /** Custom properties that API clients store for the person. */
  properties: Record<string, unknown>;
};
export type ChangeContext = {
  /** Session of the viewer. Its start shows whether the sign-in is recent enough to change credentials. */
  session: { id: string; createdAt: Date } | null;
  /** Unknown properties are created instead of ignored. */
  canAddColumns: boolean;
};

const FRESH_SESSION = 15 * MINUTE;

/**
 * Changes an account through the API: the viewer's own account, or any account as an admin. A new address or
 * password of the viewer needs a recent session; a new address applies once confirmed. With the hosted
 * defaults, members may also change names and properties of other members. If one change is refused, no
 * change is made.
 * @throws `not-found`, `invalid` by field, `conflict` for a taken name
 */
export async function changeApiUser(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "accountHooks">,
  viewer: Viewer,
  id: string,
  changes: ApiUserChanges,
  by: ChangeContext,
): Promise<ApiUser> {
  const plan = await planApiUserChange(app, viewer, id, changes, by);
  await inAccountTransaction(app, (tx) => applyChange(app, tx, viewer, plan));
  return toChangedUser(app.database.db, viewer, plan);
}

/** `changeApiUser` in the caller's transaction, with a plan of `planApiUserChange`. */
export async function changeApiUserWithin(
  app: Pick<AccountsContext, "limits" | "settings" | "origin" | "accountHooks">,
  tx: Tx,
  viewer: Viewer,
  plan: ChangePlan,
): Promise<void> {
  await applyChange(app, toAccountTx(tx, await app.settings.get()), viewer, plan);
}

/** A checked change with its password hashed, before the transaction that stores it. */
export type ChangePlan = {
  before: ApiUser;
  changes: ApiUserChanges;
  passwordHash: string | null;
  own: boolean;
  by: ChangeContext;
};

/**
 * Checks a change before its transaction.
 * @throws like `changeApiUser`
 */
export async function planApiUserChange(
  app: SessionsContext,
  viewer: Viewer,
  id: string,
  changes: ApiUserChanges,
  by: ChangeContext,
): Promise<ChangePlan> {
  const before = await getUserToChange(app, viewer, id);
  const meant = normalizeChanges(before, changes, (await app.settings.get()).apiDefaults === "hosted");
  const own = viewer.id === before.id;
  if (!own && !personRules.edit(viewer, before)) assertNoSignInChanges(meant);
  if (own && (meant.email !== undefined || meant.password !== undefined)) assertFreshSession(app, by.session);
  const passwordHash =
    meant.password === undefined ? null : await hashNewPassword(app, before, meant.password);
  return { before, changes: meant, passwordHash, own, by };
}

async function applyChange(
  app: Pick<AccountsContext, "limits" | "origin" | "accountHooks">,
  tx: AccountTx,
  viewer: Viewer,
  { before, changes, passwordHash, own, by }: ChangePlan,
) {
  try {
    if (changes.username !== undefined) await renamePerson(tx, before.id, changes.username);
    if (changes.name !== undefined) await assertRenameLimit(tx, viewer, "people", before.id, changes.name);
    await storeChanges(tx, before.id, {
      ...changes,
      properties: await normalizeProperties(tx, changes.properties, by.canAddColumns),
    });
    if (changes.email !== undefined)
      await (own
        ? requestNewAddress(app, tx, before.id, changes.email)
        : setAddress(tx, before.id, changes.email));
    if (passwordHash !== null) await setPassword(tx, before.id, passwordHash, own ? by.session!.id : null);
    if (changes.status !== undefined)
      await setUserEnabled(app, tx, viewer, { id: before.id, state: before.own!.state }, changes.status);
    if (passwordHash !== null)
      await sendAccountMail(tx, "passwordChanged", before.id, { link: accountMailLinks.askForReset(app) });
  } catch (error) {
    if (isUniqueViolation(error, "people_email")) throw addressTaken();
    if (isUniqueViolation(error, "people_username")) throw usernameTaken();
    throw error;
  }
}

/** The user to change: oneself, anyone for admins, and with the hosted defaults any visible member. */
async function getUserToChange(
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: Viewer,
  id: string,
): Promise<ApiUser> {
  const { apiDefaults } = await app.settings.get();
  const shared =
    apiDefaults === "hosted" &&
    isId(id) &&
    personRules.changeShared(viewer) &&
    (await isVisibleMember(app, viewer, id));
  return getApiUser(app.database.db, shared ? OPERATOR : viewer, id);
}

const isVisibleMember = async (
  app: Pick<AccountsContext, "database">,
  viewer: Viewer,
  id: string,
): Promise<boolean> =>
  (await maybeOne(
    app.database.db,
    sql`select from people p where p.id = ${id} and p.site_role = 'member' and p.id <> ${viewer.id}
      and ${isPersonVisible(viewer, "p")}`,
  )) !== undefined;

/** Refuses changes of another person's credentials, even with the hosted defaults. */
function assertNoSignInChanges({ email, username, password, status }: ApiUserChanges): void {
  if ([email, username, password, status].every((it) => it === undefined)) return;
  throw new Refusal(
    "not-allowed",
    "The email, username, password and status of other people can only be changed with the server key.",
  );
}

/** The user after a change. For another member, only the fields that the viewer may change. */
async function toChangedUser(db: Db, viewer: Viewer, { before, own }: ChangePlan): Promise<ApiUser> {
  if (own || personRules.edit(viewer, before)) return getApiUser(db, viewer, before.id);
  const { own: all, ...user } = await getApiUser(db, OPERATOR, before.id);
  return { ...user, own: null, shared: all!.properties };
}

/** Keeps only values that differ from the stored ones, normalized. */
function normalizeChanges(
  { name, username, own }: ApiUser,
  { email, ...changes }: ApiUserChanges,
  hosted: boolean,
): ApiUserChanges {
  const read =
    email === undefined || email.toLowerCase() === own!.email?.toLowerCase()
      ? null
      : emailForm(hosted).safeParse(email);
  if (read?.success === false)
    throw new Refusal("invalid", issueMessage(read.error.issues[0]!), { kind: "bad-email" });
  const called =
    changes.name === undefined || changes.name === name ? null : DisplayName.safeParse(changes.name);
  if (called?.success === false) throw invalid("name", issueMessage(called.error.issues[0]!));
  return {
    ...changes,
    name: called?.data,
    email: read?.data,
    username: changes.username?.toLowerCase() === username ? undefined : changes.username,
  };
}

function assertFreshSession(app: Pick<AccountsContext, "now">, session: ChangeContext["session"]) {
  if (session && app.now().getTime() - session.createdAt.getTime() <= FRESH_SESSION) return;
  throw new Refusal(
    "not-allowed",
    "Sign in again first: changing your address or password needs a recent sign-in.",
  );
}

async function hashNewPassword(
  app: Pick<AccountsContext, "database" | "settings">,
  { id, username, own }: ApiUser,
  password: string,
): Promise<string> {
  const owner = { username, email: own!.email, staff: await isStaffAccount(app, id) };
  await assertApiPasswordAllowed(await app.settings.get(), password, owner);
  return hashPassword(password);
}

async function storeChanges(
  tx: AccountTx,
  id: string,
  { name, locale, properties }: ApiUserChanges,
): Promise<void> {
  const kept = await maybeOne(
    tx,
    sql<{ properties: Record<string, unknown> }>`
    update people set display_name = coalesce(${name ?? null}::text, display_name),
      locale = coalesce(${locale ?? null}::text, locale),
      properties = properties || ${JSON.stringify(properties)}::jsonb, updated_at = ${tx.now}
    where id = ${id} and state <> 'erased' returning properties`,
  );
  if (kept) assertPropertiesFit(kept.properties);
  await emit(tx, { type: "person.changed", personId: id });
}

const setAddress = (tx: AccountTx, id: string, email: string) =>
  run(tx, sql`update people set email = ${email}, email_confirmed_at = ${tx.now} where id = ${id}`);
