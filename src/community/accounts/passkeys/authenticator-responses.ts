import { z } from "zod";
import { Refusal } from "#platform/refusal";

/** A browser passes on an authenticator's response as WebAuthn JSON. Bytes are base64url. */
const bytes = z
  .string()
  .max(16_000)
  .regex(/^[\w-]*$/);
const credentialFields = {
  id: bytes.min(1).max(1_400),
  rawId: bytes.min(1).max(1_400),
  type: z.literal("public-key"),
};
const extensions = z.object({}).transform(() => ({}));

const RegistrationResponse = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
  clientExtensionResults: extensions,
});
const AuthenticationResponse = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((given) => given ?? undefined),
  }),
  clientExtensionResults: extensions,
});

/** Refusal for every mismatch, as with passwords: the message does not reveal what was wrong. */
export const passkeyMismatch = () =>
  new Refusal("invalid", "This passkey does not work here.", {
    fields: { passkey: "This passkey does not work here." },
  });

export const readRegistration = (given: string) => readResponse(RegistrationResponse, given);
export const readAuthentication = (given: string) => readResponse(AuthenticationResponse, given);

function readResponse<T>(form: z.ZodType<T>, given: string): T {
  const answer = form.safeParse(parseJson(given.slice(0, 50_000)));
  if (!answer.success) throw passkeyMismatch();
  return answer.data;
}

/** The challenge that the authenticator claims to have signed; used to look it up. */
export function readChallenge(clientDataJSON: string): string {
  const parsed = z
    .object({ challenge: z.string().max(200) })
    .safeParse(parseJson(Buffer.from(clientDataJSON, "base64url").toString()));
  if (!parsed.success) throw passkeyMismatch();
  return parsed.data.challenge;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
