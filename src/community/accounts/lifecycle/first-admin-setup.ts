import { isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import type { NewAccount } from "../account-forms.ts";
import { findValidLink, consumeLink } from "../emails/mail-links.ts";
import { parseLocale } from "../registration/add-person.ts";
import { addressTaken, usernameTaken } from "../registration/register.ts";
import { filterTakenUsernames, suggestUsername } from "../registration/usernames.ts";
import { type AccountOwner, accountOwnerColumns, continueSignInWithin } from "../sign-in/complete-sign-in.ts";
import { hashPassword } from "../sign-in/password-hashing.ts";
import { assertPasswordAllowed } from "../sign-in/password-rules.ts";
import { setPassword } from "../sign-in/password-reset.ts";
import type { ClientInfo, SignInResult } from "../types.ts";
import { usedLinkRefusal } from "./account-states.ts";

/** An admin who has never signed in. Any other admin's link only sets a password. */
const isUnclaimed = sql`site_role = 'admin' and password_hash is null and seen_at is null
  and not exists (select from provider_identities where person_id = people.id)`;

type UnclaimedAdmin = { id: string; email: string | null };

/** The first admin's account behind a set-up link; null once it has been used or has expired. */
export async function findFirstAdminSetup(
  app: Pick<AccountsContext, "database" | "now">,
  token: string,
): Promise<UnclaimedAdmin | null> {
  const link = await findValidLink(app.database.db, token, "reset_password", app.now());
  if (!link) return null;
  const admin = await maybeOne(
    app.database.db,
    sql<UnclaimedAdmin>`select id, email from people where id = ${link.personId} and ${isUnclaimed}`,
  );
  return admin ?? null;
}

/**
 * Gives the first admin's account to the person with the set-up link and signs them in. `furnish` runs in the
 * same transaction: if it fails, the link can be used again.
 * @throws `gone` for a used link, `invalid` on `password`, `conflict` on `username` or `email`
 */
export async function claimFirstAdmin<T>(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin">,
  token: string,
  account: NewAccount,
  from: ClientInfo,
  furnish: (tx: Tx, admin: SignedIn) => Promise<T>,
): Promise<{ admin: SignedIn; signIn: SignInResult; result: T }> {
  if (!(await findFirstAdminSetup(app, token))) throw usedLinkRefusal();
  const username = account.username ?? (await suggestUsername(app.database.db, account.name));
  await assertPasswordAllowed(account.password, { username, email: account.email, staff: true });
  const passwordHash = await hashPassword(account.password);
  try {
    return await inAccountTransaction(app, async (tx) => {
      const link = await consumeLink(tx, token, "reset_password");
      if (!link) throw usedLinkRefusal();
      if (account.username && (await filterTakenUsernames(tx, [username])).has(username))
        throw usernameTaken();
      const claimed = await run(
        tx,
        sql`update people set username = ${username}, display_name = ${account.name},
            email = ${account.email}, email_confirmed_at = ${tx.now},
            locale = ${parseLocale(from.acceptLanguage)}, updated_at = ${tx.now}
          where id = ${link.personId} and ${isUnclaimed}`,
      );
      if (claimed === 0) throw usedLinkRefusal();
      await setPassword(tx, link.personId, passwordHash, null);
      await emit(tx, { type: "person.changed", personId: link.personId });
      const admin: SignedIn = { id: link.personId, role: "admin", trust: "established", limited: false };
      const result = await furnish(tx, admin);
      const owner = (await maybeOne(
        tx,
        sql<AccountOwner>`select ${accountOwnerColumns} from people where id = ${admin.id}`,
      ))!;
      const signIn = await continueSignInWithin(app, tx, owner, { stay: true, from, sessionKind: "web" });
      return { admin, signIn, result };
    });
  } catch (error) {
    if (isUniqueViolation(error, "people_username")) throw usernameTaken();
    if (isUniqueViolation(error, "people_email")) throw addressTaken();
    throw error;
  }
}
