import { maybeOne, sql } from "#platform/database";
import { post } from "#platform/mail";
import { announce } from "#platform/outbox";
import type { AccountTx, House } from "./house.ts";
import { letter, type LetterValues, momentIn } from "./letters/letter.ts";
import type { Letter } from "./letters/words.ts";

type Addressee = { email: string; name: string; username: string; locale: string };
/**
 * Security notices: each also emits `person.security`, which creates a notification, wherever the email goes.
 */
const SAFETY: Letter[] = [
  "passwordChanged",
  "addressChanging",
  "secondStepOn",
  "secondStepOff",
  "newDevice",
  "passkeyAdded",
  "passkeyRemoved",
];
type More = {
  link?: string;
  to?: string;
  device?: string;
  /** Name of a sign-in provider. */
  provider?: string;
  email?: string;
  reason?: string;
  until?: Date | null;
  /** Deduplication name: an email of one name is sent once. */
  name?: string;
};

/**
 * Sends an account email to a person, in their language. `to` overrides the address during an address change.
 * Does nothing without an address.
 */
export async function write(tx: AccountTx, kind: Letter, personId: string, more: More = {}): Promise<void> {
  if (SAFETY.includes(kind)) await announce(tx, { type: "person.security", personId, what: kind });
  const person = await maybeOne(
    tx,
    sql<Addressee>`
    select coalesce(${more.to ?? null}::text, email) as email, display_name as name, username, locale from people where id = ${personId}`,
  );
  if (!person?.email) return;
  const { link, device, provider, email, reason, until, name: messageId } = more;
  const values: LetterValues = {
    community: tx.site.name,
    name: person.name,
    username: person.username,
    device,
    provider: provider && `${provider[0]!.toUpperCase()}${provider.slice(1)}`,
    email,
    reason,
    until: until ? momentIn(person.locale, until) : "",
    when: momentIn(person.locale, tx.now),
  };
  // Queued emails are deleted with an account; this one must outlive it.
  const kept = kind === "declined" ? {} : { personId };
  await post(tx, { to: person.email, messageId, ...kept, letter: letter(kind, person.locale, values, link) });
}

/** Addresses that emails link to. */
export const links = {
  confirm: (house: House, token: string) => `${house.origin()}/login/confirm?token=${token}`,
  signIn: (house: House, token: string) => `${house.origin()}/login/link?token=${token}`,
  reset: (house: House, token: string) => `${house.origin()}/resetPassword?token=${token}`,
  newAddress: (house: House, token: string) => `${house.origin()}/login/email?token=${token}`,
  askForReset: (house: House) => `${house.origin()}/resetPassword`,
  ownData: (house: House, personId: string) => `${house.origin()}/users/settings/${personId}#data`,
  passkeys: (house: House, personId: string) => `${house.origin()}/users/settings/${personId}#passkeys`,
  providers: (house: House, personId: string) => `${house.origin()}/users/settings/${personId}#providers`,
  standing: (house: House, token: string) => `${house.origin()}/login/standing?token=${token}`,
  login: (house: House) => `${house.origin()}/login`,
};
