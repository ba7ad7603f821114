import { clientNetwork } from "#platform/client-address";
import { maybeOne, sql } from "#platform/database";
import { hashSecret, createSecret } from "#platform/ids";
import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import { ACCOUNT_LIMITS, emailLimitKey } from "../account-limits.ts";
import type { SessionKind, ClientInfo, SignInResult } from "../types.ts";
import { confirmOwner } from "../registration/credentials.ts";
import {
  continueSignInWithin,
  type AccountOwner,
  accountOwnerColumns,
  assertCanSignIn,
} from "./complete-sign-in.ts";
import { Email } from "../account-forms.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { findValidLink, consumeLink } from "../emails/mail-links.ts";
import { usedLinkRefusal } from "../lifecycle/account-states.ts";

/**
 * Sends a sign-in link; the result never reveals whether the account exists. The browser stores the secret
 * for 15 minutes, so that the link signs in there without asking.
 */
export async function sendSignInLink(
  app: Pick<AccountsContext, "database" | "limits" | "settings">,
  email: string,
  from: ClientInfo,
): Promise<{ browserSecret: string }> {
  const browserSecret = createSecret();
  const address = Email.safeParse(email).data ?? "";
  await countMailRequest(app, address, from);
  const browserHash = hashSecret(browserSecret).toString("base64url");
  await inAccountTransaction(app, (tx) =>
    enqueueRequestedMail(tx, { kind: "sign-in", email: address, browserHash }),
  );
  return { browserSecret };
}

/** Limits emails on demand per address and network; unknown addresses count like known ones. */
export async function countMailRequest(
  app: Pick<AccountsContext, "limits">,
  email: string,
  from: ClientInfo,
): Promise<void> {
  await app.limits.take("mail-link-address", ACCOUNT_LIMITS.mailLinkAddress, clientNetwork(from.address));
  await app.limits.take("mail-link", ACCOUNT_LIMITS.mailLink, emailLimitKey(email));
}

type LinkSignInOptions = { browserSecret?: string | undefined; confirmed?: boolean; stay?: boolean };

/**
 * Signs in by an emailed link. Returns `confirm` when another browser requested it: ask the person and call
 * again with `confirmed`.
 * @throws `gone` for a used link
 */
export async function signInByLink(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin" | "sealer" | "accountHooks">,
  token: string,
  by: LinkSignInOptions,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<SignInResult | { kind: "confirm" }> {
  const seen = await findValidLink(app.database.db, token, "sign_in", app.now());
  if (!seen) throw usedLinkRefusal();
  const sameBrowser =
    by.browserSecret !== undefined && seen.browserHash?.equals(hashSecret(by.browserSecret));
  // Mail clients prefetch links: a link is used only in the requesting browser, or after confirmation.
  if (!sameBrowser && !by.confirmed) return { kind: "confirm" };
  const owner = await getLinkOwner(app, seen);
  assertCanSignIn(app, owner);
  return inAccountTransaction(app, async (tx) => {
    if (!(await consumeLink(tx, token, "sign_in"))) throw usedLinkRefusal();
    await confirmOwner(app, tx, owner, from);
    return continueSignInWithin(app, tx, owner, { stay: by.stay ?? false, from, sessionKind });
  });
}

/** The owner of a link, as long as the account has the link's address. */
export async function getLinkOwner(
  app: Pick<AccountsContext, "database">,
  link: { personId: string; email: string },
): Promise<AccountOwner> {
  const owner = await maybeOne(
    app.database.db,
    sql<AccountOwner>`
    select ${accountOwnerColumns} from people
    where id = ${link.personId} and lower(email) = lower(${link.email})
      and state not in ('erased', 'ghost', 'guest', 'bot')`,
  );
  if (!owner) throw usedLinkRefusal();
  return owner;
}
