import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// @ts-expect-error -- the package has no type declarations
import Provider from "oidc-provider";
import { vi } from "vitest";

/** Accounts at the provider, and their claims. */
const PROVIDER_ACCOUNTS: Record<string, Record<string, unknown>> = {
  ana: { email: "ana@example.org", email_verified: true, name: "Ana Berg" },
  eve: { email: "ana@example.org", email_verified: false, name: "Eve" },
  nomail: { name: "No Mail" },
};

/** Starts a real OpenID provider on this machine with these redirect addresses. */
export async function startOidcProvider(redirectUris: string[]) {
  // The provider prints long warnings that this setup is for development only.
  for (const level of ["info", "warn"] as const) vi.spyOn(console, level).mockImplementation(() => {});
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "kith", client_secret: "secret-of-kith", redirect_uris: redirectUris },
      {
        client_id: "elsewhere",
        client_secret: "secret-of-another",
        redirect_uris: ["http://elsewhere.test/back"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...PROVIDER_ACCOUNTS[id] }),
    }),
    cookies: { keys: ["any"] },
    pkce: { required: () => true },
    features: { introspection: { enabled: true, allowedPolicy: () => true } },
  });
  const answer = provider.callback();
  /**
   * Returns a token as the provider issues it to a client for a signed-in person; by default a random one.
   */
  async function tokenFor(clientId: string, accountId: string, jti?: string): Promise<string> {
    const client = await provider.Client.find(clientId);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope("openid email profile");
    const grantId = await grant.save();
    const token = new provider.AccessToken({
      accountId,
      client,
      grantId,
      scope: "openid email profile",
      gty: "authorization_code",
    });
    return Object.assign(token, jti && { jti, format: "opaque" }).save();
  }
  return { issuer, server, tokenFor, close: () => new Promise((done) => server.close(done)) };
}

/**
 * Acts as a browser at the provider: follows redirects, stores cookies and submits forms until it is
 * redirected to `home`.
 */
export async function signInAtProvider(url: string, login: string, home: string): Promise<string> {
  const cookies = new Map<string, string>();
  const ask = async (to: string, init: RequestInit = {}) => {
    const response = await fetch(to, {
      ...init,
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]!.split("=");
      cookies.set(name, value);
    }
    return response;
  };
  for (let at = url, step = 0; step < 12; step++) {
    if (at.startsWith(home)) return at;
    let response = await ask(at);
    if (response.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1] ?? "";
      response = await ask(at, {
        method: "POST",
        body: new URLSearchParams({ prompt, login, password: "any" }),
      });
    }
    at = new URL(response.headers.get("location") ?? "", at).href;
  }
  throw new Error("The sign-in provider did not redirect back to Kith.");
}
