import { readFileSync } from "node:fs";
import { JWT } from "google-auth-library";
import { z } from "zod";

/** Key file of a service account as Google issues it; other fields are ignored. */
const ServiceAccount = z.object({
  type: z.literal("service_account"),
  client_email: z.string().min(3),
  private_key: z.string().includes("PRIVATE KEY"),
  private_key_id: z.string().optional(),
  project_id: z.string().optional(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

/** Response of a Google API: its status, and its body if that is JSON. */
export type GoogleResponse = { status: number; body: unknown };
export type GoogleClient = {
  /** Project of the account; null when the key file does not name one. */
  projectId: string | null;
  /** Access token for APIs that are not called through `ask`. Throws when Google issues none. */
  token: () => Promise<string>;
  /**
   * Sends a request as the service account. Returns responses of every status; throws without a token, or
   * when no response arrives within ten seconds.
   */
  ask: (method: "GET" | "POST", url: string, body?: unknown) => Promise<GoogleResponse>;
};

const REQUEST_TIMEOUT = 10_000;
/** Maximum number of characters in a response. */
const MAX_RESPONSE_LENGTH = 1_000_000;

/** Reads the key file of a service account; throws with a sentence when it is invalid. */
export function readServiceAccount(path: string): ServiceAccount {
  const parsed = ServiceAccount.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new Error("not the key file of a service account");
  return parsed.data;
}

type GoogleOptions = { scope: string; fetch?: typeof globalThis.fetch };

/** Creates a client for Google APIs as a service account; the library fetches, caches and renews the tokens. */
export function createGoogleClient(
  account: ServiceAccount,
  { scope, fetch = globalThis.fetch }: GoogleOptions,
): GoogleClient {
  const client = new JWT({
    email: account.client_email,
    key: account.private_key,
    ...(account.private_key_id && { keyId: account.private_key_id }),
    scopes: [scope],
    transporterOptions: { fetchImplementation: fetch, timeout: REQUEST_TIMEOUT, retry: false },
  });
  async function token() {
    const { token: given } = await client.getAccessToken();
    if (!given) throw new Error("Google returned no token.");
    return given;
  }
  return {
    projectId: account.project_id ?? null,
    token,
    async ask(method, url, body) {
      const answer = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${await token()}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(REQUEST_TIMEOUT),
      });
      return { status: answer.status, body: parseJson((await answer.text()).slice(0, MAX_RESPONSE_LENGTH)) };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
