import { Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { sendAccountMail } from "./send-account-mail.ts";

/**
 * Sends a test email to an admin, to check that the mail server works.
 * @throws `not-allowed` for all but admins, `too-many`
 */
export async function sendTestEmail(
  app: Pick<AccountsContext, "database" | "settings" | "limits" | "origin">,
  viewer: SignedIn,
): Promise<void> {
  if (viewer.role !== "admin") throw new Refusal("not-allowed", "Only admins can send a test email.");
  await app.limits.take("mail-link", ACCOUNT_LIMITS.mailLink, viewer.id);
  await inAccountTransaction(app, (tx) =>
    sendAccountMail(tx, "testEmail", viewer.id, { link: `${app.origin()}/` }),
  );
}
