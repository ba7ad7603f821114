/**
 * The server's challenge as WebAuthn JSON: to create a passkey if it has `user`, else to sign in with a
 * passkey.
 */
export type PasskeyRequest = {
  challenge: string;
  timeout?: number;
  user?: { id: string };
  excludeCredentials?: CredentialDescriptor[];
  allowCredentials?: CredentialDescriptor[];
};
type CredentialDescriptor = { id: string; type: "public-key"; transports?: AuthenticatorTransport[] };
/**
 * Why there is no response: `closed` or timed out, used on another origin (`elsewhere`), a passkey already
 * registered on this device (`known`), or any other error.
 */
export type PasskeyError = "closed" | "elsewhere" | "known" | "failed";

const PASSKEY_ERRORS: Record<string, PasskeyError> = {
  NotAllowedError: "closed",
  AbortError: "closed",
  SecurityError: "elsewhere",
  InvalidStateError: "known",
};

/**
 * Asks the device to create or use a passkey; the response is sent to the server unchanged. The browser
 * shows its own dialog.
 */
export async function runPasskeyRequest(
  request: PasskeyRequest,
): Promise<{ credential: string } | { fault: PasskeyError }> {
  try {
    const { credentials } = navigator;
    const credential = request.user
      ? await credentials.create({ publicKey: toCreationOptions(request) })
      : await credentials.get({ publicKey: toRequestOptions(request) });
    return credential instanceof PublicKeyCredential
      ? { credential: JSON.stringify(toJson(credential)) }
      : { fault: "failed" };
  } catch (error) {
    return { fault: (error instanceof DOMException && PASSKEY_ERRORS[error.name]) || "failed" };
  }
}

// Browsers that are a year old lack `parseCreationOptionsFromJSON` and `toJSON`.
const toCreationOptions = (request: PasskeyRequest): PublicKeyCredentialCreationOptions =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server names what a new passkey needs
  ({
    ...request,
    challenge: decodeBase64Url(request.challenge),
    user: { ...request.user, id: decodeBase64Url(request.user!.id) },
    excludeCredentials: request.excludeCredentials?.map(decodeDescriptor),
  }) as never;

const toRequestOptions = (request: PasskeyRequest): PublicKeyCredentialRequestOptions => ({
  ...request,
  challenge: decodeBase64Url(request.challenge),
  allowCredentials: request.allowCredentials?.map(decodeDescriptor),
});

const decodeDescriptor = (it: CredentialDescriptor) => ({ ...it, id: decodeBase64Url(it.id) });

function toJson({ id, rawId, type, response }: PublicKeyCredential) {
  const parts = [
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
  ] as const;
  return {
    id,
    rawId: encodeBase64Url(rawId),
    type,
    response: {
      ...Object.fromEntries(
        parts.flatMap((part) => {
          const bytes: unknown = Reflect.get(response, part);
          return bytes instanceof ArrayBuffer ? [[part, encodeBase64Url(bytes)]] : [];
        }),
      ),
      ...(response instanceof AuthenticatorAttestationResponse && { transports: response.getTransports() }),
    },
    clientExtensionResults: {},
  };
}

const decodeBase64Url = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );

const encodeBase64Url = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
