import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "#platform/log";
import { ENDPOINTS, createExtensionHost, startExtensions } from "../../src/api/rest/index.ts";
import { startOidcProvider } from "../support/oidc-provider.ts";
import { sendExample } from "../support/rest/endpoint-examples.ts";
import { wrongFields } from "../support/rest/wrong-fields.ts";
import { setUpExample } from "../support/rest/endpoint-setup.ts";
import { startPlayStore } from "../support/rest/play-store.ts";
import { startTestApi, type TestRestApi } from "../support/rest/rest-server.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
let store: Awaited<ReturnType<typeof startPlayStore>>;
let extensions: ReturnType<typeof createExtensionHost>;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let api: TestRestApi;
beforeAll(async () => {
  store = await startPlayStore();
  store.knows("products", "gold", "purchase-token", { purchaseState: 0 });
  const purchases = {
    database,
    google: store.google,
    log: createLog("silent"),
    grants: { give: async () => [], take: async () => {} },
  };
  provider = await startOidcProvider(["https://kith.example.org/api/users/social/return/google"]);
  await provider.tokenFor("kith", "ana", "token-of-the-provider");
  const google = {
    kind: "openid" as const,
    name: "google",
    issuer: provider.issuer,
    clientId: "kith",
    clientSecret: "secret-of-kith",
  };
  extensions = createExtensionHost({
    folder: "extensions/example",
    log: createLog("silent"),
    now: () => database.clock.at,
  });
  api = await startTestApi(database, { purchases, extensions, providers: [google], allowReset: true });
  await startExtensions(api.app);
});
beforeEach(async () => {
  api.forget();
  await api.app.limits.clear();
  await api.member("mira");
  const subscription = { expiryTimeMillis: String(Date.now() + 86_400_000), autoRenewing: true };
  store.knows("subscriptions", "gold", "purchase-token", subscription);
});
afterAll(async () => {
  await api.close();
  await extensions.close();
  await store.close();
  await provider.close();
});

/** Values of which at least one is wrong for any field that is not free. */
const CANDIDATES: unknown[] = [null, 7.5, "\u0001", true, {}, [{}], ""];

/** A parameter that is given twice is a list. */
const REPEATED = ["\u0001", "\u0001"];

const messageOf = (answer: { body: unknown }) => (answer.body as { message: string }).message;

describe.each(ENDPOINTS)("$method $path", (endpoint) => {
  const { method, permission, query, body, response, status = 200, example } = endpoint;
  const send = (sent: Parameters<typeof sendExample>[3] = {}) =>
    sendExample(api, endpoint, permission.caller, { id, ...sent });
  let id: string;
  beforeEach(async () => {
    id = await setUpExample(api, endpoint.path);
  });

  test("responds to its example request as declared", async () => {
    const answer = await send();
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    if (status >= 400) return;
    if (!response) expect(answer.text).toBe("");
    else expect(response.safeParse(answer.body).error?.message).toBeUndefined();
  });

  test.runIf(permission.refusal)("refuses a guest", async () => {
    const { status: refused, body: error } = await sendExample(api, endpoint, "guest", { id });
    expect({ status: refused, code: (error as { code: number }).code }).toEqual(permission.refusal);
  });

  test.runIf(query ?? body)("rejects an invalid field and names it in the error", async () => {
    for (const [name, value] of wrongFields(query, example.query, [REPEATED])) {
      const answer = await send({ query: { ...example.query, [name]: value } });
      expect([answer.status >= 400 && answer.status < 500, messageOf(answer)]).toEqual([
        true,
        expect.stringContaining(name),
      ]);
    }
    for (const [name, value] of wrongFields(body, example.body, CANDIDATES)) {
      const answer = await send({ body: { ...(example.body as object), [name]: value } });
      expect([answer.status >= 400 && answer.status < 500, messageOf(answer)]).toEqual([
        true,
        expect.stringContaining(name),
      ]);
    }
    for (const value of method === "GET" ? [] : CANDIDATES) {
      const answer = await send({ body: value });
      expect([value, answer.status < 500 || answer.status === 503]).toEqual([value, true]);
    }
  });
});
