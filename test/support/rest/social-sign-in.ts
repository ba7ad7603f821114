import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { testDatabase } from "../setup/test-database.ts";
import { startOidcProvider, signInAtProvider } from "../oidc-provider.ts";
import { APP, CLIENT, startTestApi, type TestRestApi } from "./rest-server.ts";

/** Setup for tests of sign-in with a provider: an API, the provider and a popup. */
export const database = await testDatabase();
export let provider: Awaited<ReturnType<typeof startOidcProvider>>;
export let testApi: TestRestApi;
beforeAll(async () => {
  const port = await new Promise<number>((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => found(free));
    });
  });
  provider = await startOidcProvider([`http://127.0.0.1:${port}/api/users/social/return/google`]);
  const google = {
    kind: "openid" as const,
    name: "google",
    issuer: provider.issuer,
    clientId: "kith",
    clientSecret: "secret-of-kith",
  };
  testApi = await startTestApi(database, { providers: [google], port });
});
beforeEach(async () => {
  testApi.forget();
  await testApi.set({ accountsPerAddress: 0, apiCalls: 0 });
});
afterAll(async () => {
  await testApi.close();
  await provider.close();
});

export const CLIENT_ORIGIN = "http://localhost:8000";
export const postAs = (path: string, body: object, origin = CLIENT_ORIGIN) =>
  testApi.call("POST", `/${APP}/${CLIENT}${path}`, body, { origin });
export const readText = (answer: { text: string }) => JSON.parse(answer.text) as string;

/** Follows a popup from our URL to the provider and back to the last page, with its one cookie. */
export async function runPopup(url: string, login: string, cookie?: string) {
  const startResponse = await fetch(url, { redirect: "manual" });
  const startCookie = startResponse.headers.getSetCookie()[0]!.split(";")[0]!;
  const back = await signInAtProvider(startResponse.headers.get("location")!, login, testApi.origin());
  return fetch(back, { redirect: "manual", headers: { cookie: cookie ?? startCookie } });
}

/** Returns the message that the last page posts, and its target origin. */
export async function readPostedMessage(answer: Response) {
  const messages: { data: string; origin: string }[] = [];
  const script = /<script nonce="[^"]+">(.*)<\/script>/s.exec(await answer.text())![1]!;
  const opener = { postMessage: (data: string, origin: string) => messages.push({ data, origin }) };
  runInNewContext(script, { window: { opener } });
  expect(messages).toHaveLength(1);
  return { to: messages[0]!.origin, data: JSON.parse(messages[0]!.data) as Record<string, unknown> };
}
