import { afterAll, beforeAll } from "vitest";
import { many, sql } from "#platform/database";
import { createTestAccounts } from "./test-accounts.ts";
import { registerByInvitation } from "#community/groups";
import { startOidcProvider, signInAtProvider } from "../oidc-provider.ts";
import { testDatabase } from "../setup/test-database.ts";

/** Setup for sign-in through a provider, with a real OpenID server on this machine. */

export const database = await testDatabase();
export const ORIGIN = "http://kith.test";
export const CLIENT = {
  address: "203.0.113.7",
  userAgent: "Firefox/140.0 (X11; Linux)",
  acceptLanguage: "de",
};

export let otherProvider: Awaited<ReturnType<typeof startOidcProvider>>;
export let issuer: string;
beforeAll(async () => {
  otherProvider = await startOidcProvider([`${ORIGIN}/login/from/other`]);
  ({ issuer } = otherProvider);
});
afterAll(() => otherProvider.close());

export const createAccountsWithOidc = (at = issuer) =>
  createTestAccounts(database, {
    origin: () => ORIGIN,
    seal: Buffer.alloc(32, 7),
    providers: [
      {
        kind: "openid",
        name: "other",
        issuer: at,
        clientId: "kith",
        clientSecret: "secret-of-kith",
        linksByEmail: true,
      },
    ],
    registerInvited: registerByInvitation,
  });

/** Signs in at the provider, and returns the address to which it redirects. */
export const visitProvider = (url: string, login: string) => signInAtProvider(url, login, ORIGIN);

export const listPeople = () =>
  many(
    database.db,
    sql<{
      username: string;
      state: string;
      email: string | null;
    }>`select username, state, email from people order by created_at, id`,
  );
