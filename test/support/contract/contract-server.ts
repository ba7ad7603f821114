import { appendFileSync } from "node:fs";
import { redirectGoogleTo } from "../rest/http-client.ts";
import { recordRequests } from "./recorded-calls.ts";

/**
 * `server.ts` for the contract tests. It writes received calls to the file `WALKED_CALLS`, one per line, and
 * sends requests to Google to the test store at `WALKED_STORE`.
 */
const { WALKED_CALLS: calls, WALKED_STORE: store } = process.env;
if (!calls || !store) throw new Error("WALKED_CALLS and WALKED_STORE have to be set.");

recordRequests((it) => appendFileSync(calls, `${JSON.stringify(it)}\n`));
const originalFetch = globalThis.fetch;
const redirectToStore = redirectGoogleTo(store, originalFetch);
globalThis.fetch = (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : String(input));
  return hostname.endsWith(".googleapis.com") ? redirectToStore(input, init) : originalFetch(input, init);
};

await import("../../../server.ts");
