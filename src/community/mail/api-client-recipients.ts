import { type Db, many, sql } from "#platform/database";
import type { Signer } from "#platform/signing";
import { mailLinks } from "./mail-context.ts";
import { mailScope, signUnsubscribeToken } from "./unsubscribe.ts";

/** Unsubscribe scope for mail from API clients. Unsubscribing from it does not affect the site's own mail. */
const API_CLIENT_SCOPE = mailScope("kind", "programs");

type ApiMailRecipient = { personId: string; address: string; unsubscribe: string };
type ApiMailContext = { db: Db; signer: Signer; origin: () => string };

/**
 * Returns the given people who accept mail from API clients, each with an unsubscribe link. They need an
 * open account with an address, and must not have unsubscribed from mail of API clients or from all
 * deferrable mail.
 */
export async function listApiMailRecipients(
  app: ApiMailContext,
  personIds: string[],
): Promise<ApiMailRecipient[]> {
  const rows = await many(
    app.db,
    sql<Omit<ApiMailRecipient, "unsubscribe">>`
      select p.id as "personId", p.email as address from people p
      where p.id = any(${personIds}::uuid[]) and p.state in ('active', 'limited') and p.email is not null
        and p.mail_level <> 'nothing'
        and not exists (select from mail_suppressions s
          where s.person_id = p.id and s.scope = ${API_CLIENT_SCOPE})
      order by p.id`,
  );
  return rows.map((row) => ({
    ...row,
    unsubscribe: mailLinks.unsubscribe(app, signUnsubscribeToken(app.signer, row.personId, API_CLIENT_SCOPE)),
  }));
}
