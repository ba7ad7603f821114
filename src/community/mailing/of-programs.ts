import { type Db, many, sql } from "#platform/database";
import type { Signer } from "#platform/signing";
import { links } from "./house.ts";
import { scopeOf, stopToken } from "./stopping.ts";

/** Unsubscribe scope for mail from API clients; the site's own mail is unaffected. */
const SCOPE = scopeOf("kind", "programs");

type Recipient = { personId: string; address: string; unsubscribe: string };
type House = { db: Db; signer: Signer; origin: () => string };

/**
 * Those of these people who accept mail from API clients: an open account with an address, and no
 * unsubscription from such mail or all deferrable mail. Each with an unsubscribe link.
 */
export async function recipientsOfPrograms(house: House, personIds: string[]): Promise<Recipient[]> {
  const rows = await many(
    house.db,
    sql<Omit<Recipient, "unsubscribe">>`
      select p.id as "personId", p.email as address from people p
      where p.id = any(${personIds}::uuid[]) and p.state in ('active', 'limited') and p.email is not null and p.mail_level <> 'nothing'
        and not exists (select from mail_stops s where s.person_id = p.id and s.scope = ${SCOPE})
      order by p.id`,
  );
  return rows.map((row) => ({ ...row, unsubscribe: links.unsubscribe(house, stopToken(house.signer, row.personId, SCOPE)) }));
}
