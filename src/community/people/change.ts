import { DAY, later } from "#platform/clock";
import { isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { writeAccountMailLater } from "./account-mail.ts";
import { countMembership } from "./counted.ts";
import { Email, Username } from "./forms.ts";
import type { AccountTx, House } from "./house.ts";
import type { ConfirmedAddress, ConfirmingAddress } from "./door.ts";
import { cancelLinks, lookAtLink, spendLink } from "./mail-links.ts";
import { checkPassword } from "./password-rules.ts";
import { hashPassword } from "./passwords.ts";
import { usernameTaken } from "./register.ts";
import { isStaffMember, setPassword } from "./reset.ts";
import { endSessionsWhere } from "./sessions.ts";
import { provePassword } from "./sign-in.ts";
import { spentLink } from "./states.ts";
import { takenOf } from "./usernames.ts";
import { links, write } from "./write.ts";
import { keepAnAdmin } from "./status.ts";

export async function changePassword(
  house: House,
  viewer: SignedIn,
  input: { current: string; password: string },
  keepSessionId: string | null,
): Promise<void> {
  await provePassword(house, viewer.id, input.current, "current");
  const owner = (await maybeOne(
    house.database.db,
    sql<{ username: string; email: string | null }>`select username, email from people where id = ${viewer.id}`,
  ))!;
  await checkPassword(input.password, { ...owner, staff: await isStaffMember(house, viewer.id) });
  const passwordHash = await hashPassword(input.password);
  await house.inTransaction(async (tx) => {
    await setPassword(tx, viewer.id, passwordHash, keepSessionId);
    await write(tx, "passwordChanged", viewer.id, { link: links.askForReset(house) });
  });
}

export async function changeEmail(house: House, viewer: SignedIn, input: { email: string; password: string }): Promise<void> {
  const read = Email.safeParse(input.email);
  if (!read.success) throw invalid("email", read.error.issues[0]!.message);
  const email = read.data;
  await provePassword(house, viewer.id, input.password, "password");
  await house.inTransaction((tx) => askNewAddress(house, tx, viewer.id, email));
}

/** Sends a link to the new address and a notice to the old one; the new address applies once confirmed. */
export async function askNewAddress(house: House, tx: AccountTx, personId: string, email: string): Promise<void> {
  const owner = await maybeOne(tx, sql<{ id: string }>`select id from people where lower(email) = lower(${email})`);
  if (owner?.id === personId) throw invalid("email", "That is your address already.");
  await write(tx, "addressChanging", personId, { email, link: links.askForReset(house) });
  await writeAccountMailLater(tx, { kind: "new-address", email, personId });
}

/**
 * Applies a new address if the person who opens the link is signed in to the account or gives its password:
 * otherwise an account that someone else prepared could get a victim's address by one click in an email.
 */
export async function confirmNewEmail(house: House, token: string, by: ConfirmingAddress): Promise<ConfirmedAddress> {
  const seen = await lookAtLink(house.database.db, token, "change_email", house.now());
  if (!seen) throw spentLink();
  if (by.viewerId !== seen.personId) {
    if (by.password === undefined) return { kind: "password" };
    await provePassword(house, seen.personId, by.password, "password");
  }
  return { kind: "confirmed", personId: await takeNewEmail(house, token) };
}

async function takeNewEmail(house: House, token: string): Promise<string> {
  try {
    return await house.inTransaction(async (tx) => {
      const link = await spendLink(tx, token, "change_email");
      if (!link) throw spentLink();
      const { personId, email } = link;
      const before = await maybeOne(tx, sql<{ email: string | null }>`select email from people where id = ${personId} for update`);
      await run(tx, sql`delete from people where lower(email) = lower(${email}) and state = 'unverified' and id <> ${personId}`);
      await run(tx, sql`update people set email = ${email}, email_confirmed_at = ${tx.now} where id = ${personId}`);
      // Links in the old mailbox stop working.
      await cancelLinks(tx, personId, ["reset_password", "sign_in"]);
      await tx.confirmed(personId);
      if (before?.email) await write(tx, "addressChanged", personId, { to: before.email, email });
      await announce(tx, { type: "person.changed", personId });
      return personId;
    });
  } catch (error) {
    if (isUniqueViolation(error, "people_email")) throw spentLink();
    throw error;
  }
}

const NAME_HOLDS = 30 * DAY;
const FORMER_LEADS = 365 * DAY;

type Names = { username: string; changedAt: Date | null };

export async function changeUsername(house: House, viewer: SignedIn, given: string): Promise<void> {
  try {
    await house.inTransaction((tx) => rename(tx, viewer.id, given));
  } catch (error) {
    if (isUniqueViolation(error, "people_username")) throw usernameTaken();
    throw error;
  }
}

/**
 * Gives a person another username. A concurrent change can take it first: unique violation of
 * `people_username`.
 */
export async function rename(tx: Tx, personId: string, given: string): Promise<void> {
  const read = Username.safeParse(given);
  if (!read.success) throw invalid("username", read.error.issues[0]!.message);
  const username = read.data;
  const before = (await maybeOne(
    tx,
    sql<Names>`select username, username_changed_at as "changedAt" from people where id = ${personId} for update`,
  ))!;
  if (before.username === username) return;
  const wait = (before.changedAt?.getTime() ?? -Infinity) + NAME_HOLDS - tx.now.getTime();
  if (wait > 0) throw tooOften(wait);
  await leadFrom(tx, personId, before.username, username);
  await run(
    tx,
    sql`update people set username = ${username}, username_changed_at = ${tx.now}, updated_at = ${tx.now} where id = ${personId}`,
  );
  await announce(tx, { type: "person.changed", personId });
}

/**
 * The former name redirects to the new one unless it belongs to someone else. A person may take their own
 * former name back.
 */
async function leadFrom(tx: Tx, personId: string, before: string, username: string): Promise<void> {
  const own = await run(
    tx,
    sql`delete from former_usernames where username = ${username} and (person_id = ${personId} or until <= ${tx.now})`,
  );
  if (own === 0 && (await takenOf(tx, [username])).has(username)) throw usernameTaken();
  await run(
    tx,
    sql`
    insert into former_usernames (username, person_id, until) values (${before}, ${personId}, ${later(tx.now, FORMER_LEADS)})
    on conflict (username) do update set person_id = excluded.person_id, until = excluded.until`,
  );
}

function tooOften(wait: number) {
  const sentence = `Your name can change once in 30 days; the next time in ${Math.ceil(wait / DAY)} days.`;
  return new Refusal("too-many", sentence, { retryAfter: Math.ceil(wait / 1000), fields: { username: sentence } });
}

/** Decides over a person's content when their account is erased: it stays anonymously, or it is removed. */
export type Leaving = "keep" | "remove";

export async function deactivate(house: House, viewer: SignedIn, password: string, leaving: Leaving = "keep"): Promise<void> {
  await provePassword(house, viewer.id, password, "password");
  await house.inTransaction(async (tx) => {
    await house.beforeLeaving(tx, viewer);
    await keepAnAdmin(tx, viewer.id);
    const closed = await run(
      tx,
      sql`
      update people set state = 'deactivated', deactivated_at = ${tx.now}, leaving = ${leaving}, updated_at = ${tx.now}
      where id = ${viewer.id} and state in ('active', 'limited')`,
    );
    if (closed > 0) await countMembership(tx, viewer.id, -1);
    await endSessionsWhere(tx, viewer.id);
    await announce(tx, { type: "person.left", personId: viewer.id });
  });
}
