import { maybeOne, sql } from "#platform/database";
import { hashOf, newSecret } from "#platform/ids";
import { writeAccountMailLater } from "./account-mail.ts";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import type { Door, From, SignIn } from "./door.ts";
import { confirmOwner } from "./credentials.ts";
import { enterIn, type Owner, ownerColumns, refuseByState } from "./enter.ts";
import { Email } from "./forms.ts";
import type { House } from "./house.ts";
import { lookAtLink, spendLink } from "./mail-links.ts";
import { spentLink } from "./states.ts";

export async function sendSignInLink(house: House, email: string, from: From): Promise<{ browserSecret: string }> {
  const browserSecret = newSecret();
  const address = Email.safeParse(email).data ?? "";
  await takeMail(house, address, from);
  const browserHash = hashOf(browserSecret).toString("base64url");
  await house.inTransaction((tx) => writeAccountMailLater(tx, { kind: "sign-in", email: address, browserHash }));
  return { browserSecret };
}

/** Limits emails on demand per address and network; unknown addresses count like known ones. */
export async function takeMail(house: House, email: string, from: From): Promise<void> {
  await house.limits.take("mail-link-address", ALLOWANCES.mailLinkAddress, placeOf(from.address));
  await house.limits.take("mail-link", ALLOWANCES.mailLink, hashOf(email.toLowerCase()).toString("base64url"));
}

type By = { browserSecret?: string | undefined; confirmed?: boolean; stay?: boolean };

export async function signInByLink(house: House, token: string, by: By, from: From, door: Door): Promise<SignIn | { kind: "confirm" }> {
  const seen = await lookAtLink(house.database.db, token, "sign_in", house.now());
  if (!seen) throw spentLink();
  const sameBrowser = by.browserSecret !== undefined && seen.browserHash?.equals(hashOf(by.browserSecret));
  // Mail clients prefetch links: a link is used only in the requesting browser, or after confirmation.
  if (!sameBrowser && !by.confirmed) return { kind: "confirm" };
  const owner = await ownerOfLink(house, seen);
  refuseByState(house, owner);
  return house.inTransaction(async (tx) => {
    if (!(await spendLink(tx, token, "sign_in"))) throw spentLink();
    await confirmOwner(tx, owner, from);
    return enterIn(house, tx, owner, { stay: by.stay ?? false, from, door });
  });
}

/** The owner of a link, while its address is still theirs. */
export async function ownerOfLink(house: House, link: { personId: string; email: string }): Promise<Owner> {
  const owner = await maybeOne(
    house.database.db,
    sql<Owner>`
    select ${ownerColumns} from people where id = ${link.personId} and lower(email) = lower(${link.email}) and state not in ('erased', 'ghost', 'guest')`,
  );
  if (!owner) throw spentLink();
  return owner;
}
