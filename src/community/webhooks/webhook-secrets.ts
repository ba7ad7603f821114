import { randomBytes } from "node:crypto";
import { Webhook as Signer } from "standardwebhooks";
import type { Sealer } from "#community/accounts";

/** Bytes of a signing key; Standard Webhooks asks for 24 to 64. */
const KEY_BYTES = 32;
const PURPOSE = "webhook";

/** Creates a signing key: `text` is shown once, `sealed` is stored. */
export function createSigningSecret(sealer: Sealer): { text: string; sealed: Buffer } {
  const text = `whsec_${randomBytes(KEY_BYTES).toString("base64")}`;
  return { text, sealed: sealer.sealBytes(PURPOSE, Buffer.from(text)) };
}

type Message = { id: string; at: Date; body: string };

/** Headers of Standard Webhooks, with a signature for each of the sealed keys. */
export function signMessage(sealer: Sealer, secrets: Buffer[], { id, at, body }: Message) {
  const signatures = secrets.flatMap((sealed) => {
    const text = sealer.unsealBytes(PURPOSE, sealed)?.toString();
    return text ? [new Signer(text).sign(id, at, body)] : [];
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
