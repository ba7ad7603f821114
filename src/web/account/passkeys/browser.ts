/** Challenge of the server in WebAuthn's JSON: to create a passkey (`user`), or to sign with one. */
export type Asked = {
  challenge: string;
  timeout?: number;
  user?: { id: string };
  excludeCredentials?: Known[];
  allowCredentials?: Known[];
};
type Known = { id: string; type: string; transports?: string[] };
/**
 * Why there is no response: closed or too late, a different origin than ours, already registered on this
 * device, or anything else.
 */
export type Fault = "closed" | "elsewhere" | "known" | "failed";

const FAULTS: Record<string, Fault> = {
  NotAllowedError: "closed",
  AbortError: "closed",
  SecurityError: "elsewhere",
  InvalidStateError: "known",
};

/**
 * Lets the device create or use a passkey; the response goes to the server unchanged. The browser shows its
 * own dialog.
 */
export async function answerTo(asked: Asked): Promise<{ credential: string } | { fault: Fault }> {
  try {
    const { credentials } = navigator;
    const made = asked.user ? await credentials.create({ publicKey: toMake(asked) }) : await credentials.get({ publicKey: toSign(asked) });
    return made instanceof PublicKeyCredential ? { credential: JSON.stringify(inText(made)) } : { fault: "failed" };
  } catch (error) {
    return { fault: (error instanceof DOMException && FAULTS[error.name]) || "failed" };
  }
}

// Browsers of last year lack `parseCreationOptionsFromJSON` and `toJSON`.
const toMake = (asked: Asked): PublicKeyCredentialCreationOptions =>
  ({
    ...asked,
    challenge: bytes(asked.challenge),
    user: { ...asked.user, id: bytes(asked.user!.id) },
    excludeCredentials: asked.excludeCredentials?.map(known),
  }) as never;

const toSign = (asked: Asked) =>
  ({
    ...asked,
    challenge: bytes(asked.challenge),
    allowCredentials: asked.allowCredentials?.map(known),
  }) as PublicKeyCredentialRequestOptions;

const known = (it: Known) => ({ ...it, id: bytes(it.id) });

function inText({ id, rawId, type, response }: PublicKeyCredential) {
  const said = response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"] as const;
  return {
    id,
    rawId: text(rawId),
    type,
    response: {
      ...Object.fromEntries(parts.flatMap((part) => (said[part] ? [[part, text(said[part])]] : []))),
      ...("getTransports" in said && { transports: said.getTransports() }),
    },
    clientExtensionResults: {},
  };
}

const bytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const text = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
