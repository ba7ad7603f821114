import { DAY, addMilliseconds } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import type { MailContext } from "./mail-context.ts";

/** A reply address expires this long after our last mail with it. */
const ADDRESS_LIFETIME = 90 * DAY;
/** Time after the expiry in which a reply is answered with the reason. Afterwards the address is unknown. */
const REMEMBERED = 275 * DAY;
const BASE32_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Encodes bytes as base32, which remains readable if a mail host changes upper and lower case. */
function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32_ALPHABET[Number.parseInt(five, 2)]).join("");
}

type ReplyPlace = {
  personId: string;
  kind: "discussion" | "conversation" | "event";
  id: string;
  latestId: string | null;
};

/**
 * The tag of a person's reply address for a discussion, conversation or event. It cannot be guessed and is
 * always the same.
 */
export async function getReplyToken(
  tx: Tx,
  app: MailContext,
  { personId, kind, id, latestId }: ReplyPlace,
): Promise<string> {
  const token = toBase32(app.signer.mark("reply-address", `${personId} ${kind} ${id}`).subarray(0, 15));
  await run(
    tx,
    sql`insert into reply_addresses (token, person_id, place_kind, place_id, latest_id, used_until)
        values (${token}, ${personId}, ${kind}, ${id}, ${latestId},
          ${addMilliseconds(tx.now, ADDRESS_LIFETIME)})
        on conflict (person_id, place_kind, place_id) do update
        set token = excluded.token, latest_id = excluded.latest_id, used_until = excluded.used_until`,
  );
  return token;
}

/** Deletes expired reply addresses and old inbound mail hashes. */
export async function deleteExpiredReplyAddresses(tx: Tx): Promise<void> {
  await run(tx, sql`delete from reply_addresses where used_until < ${addMilliseconds(tx.now, -REMEMBERED)}`);
  await run(
    tx,
    sql`delete from mails_received where received_at < ${addMilliseconds(tx.now, -ADDRESS_LIFETIME)}`,
  );
}
