import { readFileSync } from "node:fs";
import { JWT } from "google-auth-library";
import { z } from "zod";

/** A key file of a service account, as Google hands it out; what else is in it is not needed. */
const ServiceAccount = z.object({
  type: z.literal("service_account"),
  client_email: z.string().min(3),
  private_key: z.string().includes("PRIVATE KEY"),
  private_key_id: z.string().optional(),
  project_id: z.string().optional(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

/** An answer of one of Google's interfaces: its status, and what it says, if that is JSON. */
export type Answer = { status: number; body: unknown };
export type Google = {
  /** The project that the account belongs to; null where its key file does not say. */
  projectId: string | null;
  /** What shows that we are the account, for interfaces that are asked in another way. Throws where Google gives none. */
  token: () => Promise<string>;
  /** Asks as the service account. Answers of every status come back; throws where none comes within ten seconds, or no token. */
  ask: (method: "GET" | "POST", url: string, body?: unknown) => Promise<Answer>;
};

const PATIENCE = 10_000;
/** Characters of an answer. */
const MOST = 1_000_000;

/** Reads the key file of a service account. Throws with a sentence where it is none. */
export function readServiceAccount(path: string): ServiceAccount {
  const read = ServiceAccount.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!read.success) throw new Error("it is not the key file of a service account");
  return read.data;
}

type Options = { scope: string; fetch?: typeof globalThis.fetch };

/** Speaks with Google as a service account: tokens are fetched, kept while they hold, and renewed by the library. */
export function openGoogle(account: ServiceAccount, { scope, fetch = globalThis.fetch }: Options): Google {
  const client = new JWT({
    email: account.client_email,
    key: account.private_key,
    ...(account.private_key_id && { keyId: account.private_key_id }),
    scopes: [scope],
    transporterOptions: { fetchImplementation: fetch, timeout: PATIENCE, retry: false },
  });
  async function token() {
    const { token: given } = await client.getAccessToken();
    if (!given) throw new Error("Google gave no token.");
    return given;
  }
  return {
    projectId: account.project_id ?? null,
    token,
    async ask(method, url, body) {
      const answer = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${await token()}`, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      return { status: answer.status, body: jsonIn((await answer.text()).slice(0, MOST)) };
    },
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
