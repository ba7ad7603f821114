import { maybeOne, sql } from "#platform/database";
import { queueMail } from "#platform/mail";
import { emit } from "#platform/outbox";
import type { AccountTx, AccountsContext } from "../accounts-context.ts";
import { composeAccountEmail, type AccountEmailValues, formatMoment } from "./compose-account-email.ts";
import type { AccountEmailKind } from "./account-email-texts.ts";

type MailRecipient = { email: string; name: string; username: string; locale: string };
/**
 * Security notices. Each one also emits `person.security`, which creates a notification, whichever address
 * the email is sent to.
 */
const SECURITY_MAILS: AccountEmailKind[] = [
  "passwordChanged",
  "addressChanging",
  "secondStepOn",
  "secondStepOff",
  "newDevice",
  "passkeyAdded",
  "passkeyRemoved",
  "tokenCreated",
  "tokenRevoked",
];
type AccountMailValues = {
  link?: string;
  to?: string;
  device?: string;
  /** Name of a sign-in provider. */
  provider?: string;
  email?: string;
  reason?: string;
  until?: Date | null;
  /** Deduplication key: one email is sent per key. */
  name?: string;
};

/**
 * Sends an account email to a person, in their language. `to` overrides the address during an address change.
 * Does nothing without an address.
 */
export async function sendAccountMail(
  tx: AccountTx,
  kind: AccountEmailKind,
  personId: string,
  more: AccountMailValues = {},
): Promise<void> {
  if (SECURITY_MAILS.includes(kind)) await emit(tx, { type: "person.security", personId, what: kind });
  const person = await maybeOne(
    tx,
    sql<MailRecipient>`
    select coalesce(${more.to ?? null}::text, email) as email, display_name as name, username, locale
    from people where id = ${personId}`,
  );
  if (!person?.email) return;
  const { link, device, provider, email, reason, until, name: messageId } = more;
  const values: AccountEmailValues = {
    community: tx.site.name,
    name: person.name,
    username: person.username,
    device,
    provider: provider && `${provider[0]!.toUpperCase()}${provider.slice(1)}`,
    email,
    reason,
    until: until ? formatMoment(person.locale, until) : "",
    when: formatMoment(person.locale, tx.now),
  };
  // Queued emails with a `personId` are deleted with the account; the notice of a declined account must be
  // sent after that.
  const kept = kind === "declined" ? {} : { personId };
  await queueMail(tx, {
    to: person.email,
    messageId,
    ...kept,
    letter: composeAccountEmail(kind, person.locale, values, link),
  });
}

/** Addresses that emails link to. */
export const accountMailLinks = {
  /** `returnTo`: the path that opens after the confirmation. */
  confirm: (app: Pick<AccountsContext, "origin">, token: string, returnTo?: string) =>
    `${app.origin()}/login/confirm?token=${token}` +
    (returnTo && returnTo !== "/" ? `&next=${encodeURIComponent(returnTo)}` : ""),
  signIn: (app: Pick<AccountsContext, "origin">, token: string) =>
    `${app.origin()}/login/link?token=${token}`,
  reset: (app: Pick<AccountsContext, "origin">, token: string) =>
    `${app.origin()}/resetPassword?token=${token}`,
  setUp: (app: Pick<AccountsContext, "origin">, token: string) => `${app.origin()}/setup?token=${token}`,
  newAddress: (app: Pick<AccountsContext, "origin">, token: string) =>
    `${app.origin()}/login/email?token=${token}`,
  askForReset: (app: Pick<AccountsContext, "origin">) => `${app.origin()}/resetPassword`,
  ownData: (app: Pick<AccountsContext, "origin">, personId: string) =>
    `${app.origin()}/users/settings/${personId}/data#data`,
  passkeys: (app: Pick<AccountsContext, "origin">, personId: string) =>
    `${app.origin()}/users/settings/${personId}/security#passkeys`,
  tokens: (app: Pick<AccountsContext, "origin">, personId: string) =>
    `${app.origin()}/users/settings/${personId}/tokens#tokens`,
  providers: (app: Pick<AccountsContext, "origin">, personId: string) =>
    `${app.origin()}/users/settings/${personId}/security#providers`,
  standing: (app: Pick<AccountsContext, "origin">, token: string) =>
    `${app.origin()}/login/standing?token=${token}`,
  login: (app: Pick<AccountsContext, "origin">) => `${app.origin()}/login`,
};
