import Backendless from "backendless";
// @ts-expect-error -- its types declare the module `backendless`, not the alias under which it is installed here
import BackendlessV6 from "backendless-v6";
// @ts-expect-error -- as for version 6: its types declare the module `backendless`
import BackendlessV7 from "backendless-v7";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { testDatabase } from "../setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi, SERVER } from "./rest-server.ts";

type Sdk = typeof Backendless;
type Init = (options: object) => Sdk;

/** The published clients by major version. */
const CLIENTS: Record<string, { initApp: unknown }> = { 8: Backendless, 7: BackendlessV7, 6: BackendlessV6 };
export const VERSIONS = Object.keys(CLIENTS);

export const database = await testDatabase();
export let testApi: TestRestApi;
beforeAll(async () => void (testApi = await startTestApi(database)));
beforeEach(async () => {
  testApi.forget();
  await testApi.set({ apiDefaults: "hosted" });
  testApi.forget();
});
afterAll(() => testApi.close());

/** Creates a separate instance of a client version. */
export function createClient(version: string, apiKey = CLIENT): Sdk {
  const { initApp } = CLIENTS[version]!;
  const sdk = (initApp as Init).call(CLIENTS[version], {
    appId: APP,
    apiKey,
    standalone: true,
    serverURL: testApi.origin(),
  });
  sdk.serverURL = testApi.origin();
  return sdk;
}
export const clientSdk = () => createClient("8");
export const serverSdk = () => createClient("8", SERVER);

export type Row = Record<string, unknown> & { objectId: string };
let userCount = 0;
/**
 * Input for a test user as apps create them: with a weak password, and an address without a top-level
 * domain.
 */
export const createUserInput = (more: object = {}) => ({
  email: `user${++userCount}@com`,
  password: "qwerty",
  ...more,
});

export const callManagement = async (method: string, path: string, body?: unknown) =>
  (await testApi.call(method, `/${APP}/${SERVER}/management${path}`, body)).body;

/** Returns the outcome of a call: its result, or code and message of the error. */
export const getOutcome = (call: Promise<unknown>) =>
  call.then(
    (answered) => ({ answered }),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  );
