import { DAY, addMilliseconds } from "#platform/clock";
import { isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { issueMessage, msg } from "#platform/messages";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { assertAddressAllowed } from "#community/prevention";
import type { SignedIn } from "#community/rules";
import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import { countMemberships } from "../lifecycle/membership-counts.ts";
import { Email, Username } from "../account-forms.ts";
import { ACCOUNT_LIMITS, emailLimitKey } from "../account-limits.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import type { AddressConfirmationResult, AddressConfirmationProof } from "../types.ts";
import { cancelLinks, findValidLink, consumeLink } from "../emails/mail-links.ts";
import { assertPasswordAllowed } from "../sign-in/password-rules.ts";
import { hashPassword } from "../sign-in/password-hashing.ts";
import { usernameTaken } from "../registration/register.ts";
import { isStaffAccount, setPassword } from "../sign-in/password-reset.ts";
import { revokeAllAccessTokens } from "../access-tokens/access-tokens.ts";
import { endSessionsWhere } from "../sessions/sessions.ts";
import { assertPassword } from "../sign-in/sign-in.ts";
import { usedLinkRefusal } from "../lifecycle/account-states.ts";
import { filterTakenUsernames } from "../registration/usernames.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";
import { assertAdminRemains } from "../sanctions/account-status.ts";

/**
 * Changes the password and ends every other session.
 * @throws `invalid` on `current` or `password`
 */
export async function changePassword(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "origin">,
  viewer: SignedIn,
  input: { current: string; password: string },
  keepSessionId: string | null,
): Promise<void> {
  await assertPassword(app, viewer.id, input.current, "current");
  const owner = (await maybeOne(
    app.database.db,
    sql<{
      username: string;
      email: string | null;
    }>`select username, email from people where id = ${viewer.id}`,
  ))!;
  await assertPasswordAllowed(input.password, { ...owner, staff: await isStaffAccount(app, viewer.id) });
  const passwordHash = await hashPassword(input.password);
  await inAccountTransaction(app, async (tx) => {
    await setPassword(tx, viewer.id, passwordHash, keepSessionId);
    await sendAccountMail(tx, "passwordChanged", viewer.id, { link: accountMailLinks.askForReset(app) });
  });
}

/**
 * Sends a link to the new address, which replaces the old one once confirmed.
 * @throws `invalid` on `password` or `email`
 */
export async function changeEmail(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "origin">,
  viewer: SignedIn,
  input: { email: string; password: string },
): Promise<void> {
  const parsed = Email.safeParse(input.email);
  if (!parsed.success) throw invalid("email", issueMessage(parsed.error.issues[0]!));
  const email = parsed.data;
  await assertPassword(app, viewer.id, input.password, "password");
  await inAccountTransaction(app, (tx) => requestNewAddress(app, tx, viewer.id, email));
}

/**
 * Sends a link to the new address and a notice to the old one; the new address applies once confirmed. Both
 * emails are limited per person and per new address, since anyone can enter a stranger's address.
 * @throws `not-allowed` for a blocked address or mail domain, `invalid` for the present address
 */
export async function requestNewAddress(
  app: Pick<AccountsContext, "limits" | "origin">,
  tx: AccountTx,
  personId: string,
  email: string,
): Promise<void> {
  const owner = await maybeOne(
    tx,
    sql<{ id: string }>`select id from people where lower(email) = lower(${email})`,
  );
  if (owner?.id === personId) throw invalid("email", "This is already your email address.");
  await assertAddressAllowed(tx, { email }, { contact: tx.site.contact, now: tx.now });
  for (const key of [personId, emailLimitKey(email)])
    await app.limits.take("mail-link", ACCOUNT_LIMITS.mailLink, key);
  await sendAccountMail(tx, "addressChanging", personId, { email, link: accountMailLinks.askForReset(app) });
  await enqueueRequestedMail(tx, { kind: "new-address", email, personId });
}

/**
 * Confirms a new address for a person who is signed in to the account or gives its password.
 * @throws `gone`, `invalid` on `password`
 */
export async function confirmNewEmail(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "accountHooks">,
  token: string,
  by: AddressConfirmationProof,
): Promise<AddressConfirmationResult> {
  const seen = await findValidLink(app.database.db, token, "change_email", app.now());
  if (!seen) throw usedLinkRefusal();
  if (by.viewerId !== seen.personId) {
    if (by.password === undefined) return { kind: "password" };
    await assertPassword(app, seen.personId, by.password, "password");
  }
  return { kind: "confirmed", personId: await applyNewEmail(app, token) };
}

async function applyNewEmail(
  app: Pick<AccountsContext, "database" | "settings" | "accountHooks">,
  token: string,
): Promise<string> {
  try {
    return await inAccountTransaction(app, async (tx) => {
      const link = await consumeLink(tx, token, "change_email");
      if (!link) throw usedLinkRefusal();
      const { personId, email } = link;
      const before = await maybeOne(
        tx,
        sql<{ email: string | null }>`select email from people where id = ${personId} for update`,
      );
      await run(
        tx,
        sql`delete from people where lower(email) = lower(${email}) and state = 'unverified'
          and id <> ${personId}`,
      );
      await run(
        tx,
        sql`update people set email = ${email}, email_confirmed_at = ${tx.now} where id = ${personId}`,
      );
      // Links sent to the old address stop working.
      await cancelLinks(tx, personId, ["reset_password", "sign_in"]);
      await app.accountHooks.afterConfirming?.(tx, personId);
      if (before?.email) await sendAccountMail(tx, "addressChanged", personId, { to: before.email, email });
      await emit(tx, { type: "person.changed", personId });
      return personId;
    });
  } catch (error) {
    if (isUniqueViolation(error, "people_email")) throw usedLinkRefusal();
    throw error;
  }
}

const NAME_CHANGE_INTERVAL = 30 * DAY;
const FORMER_NAME_LIFETIME = 365 * DAY;

type UsernameState = { username: string; changedAt: Date | null };

/**
 * Changes the username; the former username redirects to the new one.
 * @throws `too-many` within 30 days, `conflict` when it is taken
 */
export async function changeUsername(
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: SignedIn,
  username: string,
): Promise<void> {
  try {
    await inAccountTransaction(app, (tx) => renamePerson(tx, viewer.id, username));
  } catch (error) {
    if (isUniqueViolation(error, "people_username")) throw usernameTaken();
    throw error;
  }
}

/**
 * Sets a person's username. If a concurrent change takes it first, PostgreSQL reports a unique violation of
 * `people_username`.
 */
export async function renamePerson(tx: Tx, personId: string, given: string): Promise<void> {
  const parsed = Username.safeParse(given);
  if (!parsed.success) throw invalid("username", issueMessage(parsed.error.issues[0]!));
  const username = parsed.data;
  const before = (await maybeOne(
    tx,
    sql<UsernameState>`select username, username_changed_at as "changedAt" from people where id = ${personId}
      for update`,
  ))!;
  if (before.username === username) return;
  const wait = (before.changedAt?.getTime() ?? -Infinity) + NAME_CHANGE_INTERVAL - tx.now.getTime();
  if (wait > 0) throw nameChangeRefusal(wait);
  await keepFormerName(tx, personId, before.username, username);
  await run(
    tx,
    sql`update people set username = ${username}, username_changed_at = ${tx.now}, updated_at = ${tx.now}
      where id = ${personId}`,
  );
  await emit(tx, { type: "person.changed", personId });
}

/**
 * Redirects the former name to the new one unless it belongs to someone else. A person may return to their
 * own former name.
 */
async function keepFormerName(tx: Tx, personId: string, before: string, username: string): Promise<void> {
  const own = await run(
    tx,
    sql`delete from former_usernames
      where username = ${username} and (person_id = ${personId} or until <= ${tx.now})`,
  );
  if (own === 0 && (await filterTakenUsernames(tx, [username])).has(username)) throw usernameTaken();
  await run(
    tx,
    sql`
    insert into former_usernames (username, person_id, until)
    values (${before}, ${personId}, ${addMilliseconds(tx.now, FORMER_NAME_LIFETIME)})
    on conflict (username) do update set person_id = excluded.person_id, until = excluded.until`,
  );
}

function nameChangeRefusal(wait: number) {
  const sentence = msg(
    "You can change your username once every 30 days. " +
      "You can change it again in {count, plural, one {# day} other {# days}}.",
    { count: Math.ceil(wait / DAY) },
  );
  return new Refusal("too-many", sentence, {
    retryAfter: Math.ceil(wait / 1000),
    fields: { username: sentence },
  });
}

/**
 * Treatment of a person's content when their account is erased: it stays without their name, or it is
 * removed.
 */
export type ContentAfterErasure = "keep" | "remove";

/**
 * Deactivates the account: signs out everywhere, hides it, and erases it after 30 days, with or without its
 * content. Signing in within this time reactivates the account.
 */
export async function deactivateAccount(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "accountHooks">,
  viewer: SignedIn,
  password: string,
  leaving: ContentAfterErasure = "keep",
): Promise<void> {
  await assertPassword(app, viewer.id, password, "password");
  await inAccountTransaction(app, async (tx) => {
    await app.accountHooks.beforeLeaving?.(tx, viewer);
    await assertAdminRemains(tx, viewer.id);
    const closed = await run(
      tx,
      sql`
      update people set state = 'deactivated', deactivated_at = ${tx.now}, leaving = ${leaving},
        updated_at = ${tx.now}
      where id = ${viewer.id} and state in ('active', 'limited')`,
    );
    if (closed > 0) await countMemberships(tx, viewer.id, -1);
    await endSessionsWhere(tx, viewer.id);
    await revokeAllAccessTokens(tx, viewer.id);
    await emit(tx, { type: "person.left", personId: viewer.id });
  });
}
