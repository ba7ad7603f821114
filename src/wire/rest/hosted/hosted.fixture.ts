import Backendless from "backendless";
// @ts-expect-error Its type file declares a module of the name under which it is published.
import BackendlessV6 from "backendless-v6";
// @ts-expect-error The same.
import BackendlessV7 from "backendless-v7";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, type RestDoor, SERVER } from "../rest.fixture.ts";

type Sdk = typeof Backendless;
type Init = (options: object) => Sdk;

/** The published clients by major version. */
const CLIENTS: Record<string, { initApp: unknown }> = { 8: Backendless, 7: BackendlessV7, 6: BackendlessV6 };
export const VERSIONS = Object.keys(CLIENTS);

export const database = await testDatabase();
export let door: RestDoor;
beforeAll(async () => void (door = await openDoor(database)));
beforeEach(async () => {
  door.forget();
  await door.set({ apiDefaults: "hosted" });
  door.forget();
});
afterAll(() => door.close());

/** A separate instance of a client version. */
export function sdkOf(version: string, apiKey = CLIENT): Sdk {
  const { initApp } = CLIENTS[version]!;
  const sdk = (initApp as Init).call(CLIENTS[version], { appId: APP, apiKey, standalone: true, serverURL: door.origin() });
  sdk.serverURL = door.origin();
  return sdk;
}
export const app = () => sdkOf("8");
export const server = () => sdkOf("8", SERVER);

export type Row = Record<string, unknown> & { objectId: string };
let number = 0;
/** Test users as apps create them: a weak password, and an address without a top-level domain. */
export const newUser = (more: object = {}) => ({ email: `user${++number}@com`, password: "qwerty", ...more });

export const manage = async (method: string, path: string, body?: unknown) =>
  (await door.call(method, `/${APP}/${SERVER}/management${path}`, body)).body;

/** Outcome of a call: result, or code and message. */
export const refused = (call: Promise<unknown>) =>
  call.then(
    (answered) => ({ answered }),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  );
