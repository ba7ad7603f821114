import type { Email } from "postal-mime";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { BOUNCE_WEIGHT, BOUNCE_TAG, countBounce } from "#platform/mail";
import { readDeliveryFailure } from "./delivery-failure.ts";

/** Records the hash of a mail. Returns true if it was not recorded before. */
export const recordMailHash = async (tx: Tx, hash: Buffer) =>
  (await run(
    tx,
    sql`insert into mails_received (message_hash, received_at) values (${hash}, ${tx.now})
      on conflict do nothing`,
  )) > 0;

type Returned = { mail: Email; tag: string; hash: Buffer };

/**
 * Counts a bounce of one of our mails against its recipient's address, once per mail. Notices of a delay and
 * out-of-office replies do not count.
 */
export async function countMailBounce(
  tx: Tx,
  { mail, tag, hash }: Returned,
): Promise<"bounce" | "known" | "automatic" | "nobody"> {
  const id = tag.slice(BOUNCE_TAG.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return "nobody";
  const sent = await maybeOne(
    tx,
    sql<{
      to: string;
      failed: boolean;
    }>`select recipient as "to", failure is not null as failed from mails where id = ${id}`,
  );
  const failure = readDeliveryFailure(mail, sent?.to ?? null);
  if (failure === null) return "automatic";
  if (!(await recordMailHash(tx, hash)) || !sent || sent.failed) return "known";
  const marked = await run(
    tx,
    sql`update mails set failure = 'It came back.' where id = ${id} and failure is null`,
  );
  if (marked === 0) return "known";
  await countBounce(tx, sent.to, BOUNCE_WEIGHT[failure], tx.now);
  return "bounce";
}
