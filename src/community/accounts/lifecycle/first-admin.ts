import { maybeOne, run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { countMemberships } from "./membership-counts.ts";
import { addPerson } from "../registration/add-person.ts";
import { dropCredentials } from "../registration/credentials.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { issueLink, SETUP_LINK_LIFETIME } from "../emails/mail-links.ts";
import { assertPasswordAllowed } from "../sign-in/password-rules.ts";
import { hashPassword } from "../sign-in/password-hashing.ts";
import { suggestUsername } from "../registration/usernames.ts";
import { accountMailLinks } from "../emails/send-account-mail.ts";

/**
 * Key of the lock that lets only one of two processes create the admin if both start at once. Any number not
 * used elsewhere.
 */
const FIRST_ADMIN_LOCK = 7_284_019_337;

type Admin = { email: string; password: string | null; name?: string };

/**
 * Ensures that the site has an admin: creates the account, or promotes the one with this address.
 * @throws `invalid` on `password` when it breaks the rules
 */
export async function ensureFirstAdmin(
  app: Pick<AccountsContext, "database" | "settings" | "origin">,
  { email, password, name = "Admin" }: Admin,
) {
  if (await hasAdmin(app)) return null;
  const baseName = name.toLowerCase() === "admin" ? email.split("@")[0]! : name;
  const username = await suggestUsername(app.database.db, baseName);
  // The password is checked against the local part of the address. The final username may have a number
  // appended, which must not change the result.
  if (password !== null)
    await assertPasswordAllowed(password, { username: email.split("@")[0]!, email, staff: true });
  const passwordHash = password === null ? null : await hashPassword(password);
  return inAccountTransaction(app, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`);
    if (await maybeOne(tx, firstAdminQuery)) return null;
    // The address is unconfirmed: the person who registered it may be a stranger, and must not become admin
    // with a password of their own.
    const unconfirmed = await maybeOne(
      tx,
      sql<{
        id: string;
      }>`select id from people where lower(email) = lower(${email}) and email_confirmed_at is null
        for update`,
    );
    if (unconfirmed) await dropCredentials(tx, unconfirmed.id);
    const known = await maybeOne(
      tx,
      sql<{ id: string; cameBack: boolean }>`
      update people p set site_role = 'admin', trust = 'established', state = 'active', deactivated_at = null,
        password_hash = coalesce(${passwordHash}::text, p.password_hash)
      from (select id, state from people where lower(email) = lower(${email}) for no key update) before
      where p.id = before.id returning p.id, before.state = 'deactivated' as "cameBack"`,
    );
    if (known?.cameBack) await countMemberships(tx, known.id, 1);
    const personId =
      known?.id ??
      (await addPerson(tx, { username, name, email, passwordHash, role: "admin", trust: "established" }));
    if (!known)
      await app.settings.set(
        tx,
        { id: personId, role: "admin", trust: "established", limited: false },
        { setupChecklist: true },
      );
    await emit(tx, { type: "person.joined", personId });
    if (password !== null) return { personId, link: null };
    const token = await issueLink(tx, {
      personId,
      email,
      purpose: "reset_password",
      lasts: SETUP_LINK_LIFETIME,
    });
    return { personId, link: accountMailLinks.setUp(app, token) };
  });
}

/** Selects an admin who can sign in. An admin who never opened their setup link gets a new link. */
const firstAdminQuery = sql`
  select 1 from people
  where site_role = 'admin' and state = 'active'
    and (password_hash is not null or seen_at is not null
      or exists (select 1 from provider_identities where person_id = people.id)) limit 1`;
const hasAdmin = async (app: Pick<AccountsContext, "database">) =>
  (await maybeOne(app.database.db, firstAdminQuery)) !== undefined;
