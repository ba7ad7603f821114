import Backendless from "backendless";
import { expect } from "vitest";
import { createLog } from "#platform/log";
import type { TestDatabase } from "../setup/test-database.ts";
import { startExtensions, createExtensionHost } from "../../../src/api/rest/index.ts";
import { startRecordingProxy, parseAnswer } from "../rest/call-recorder.ts";
import { APP, CLIENT, startTestApi, SERVER } from "../rest/rest-server.ts";
import { startPlayStore } from "../rest/play-store.ts";

export type Sdk = typeof Backendless;

/** Start of the contract test. It is the real time, because the clocks of separate servers cannot be set. */
export const NOW = new Date();
/** Matches a number that changes during the contract test and is within 500 of `number`. */
export const closeToNumber = (number: number) => expect.closeTo(number, -3) as unknown;

/** Context of a contract test: the client with each key, and the people registered so far. */
export type StepContext = {
  app: Sdk;
  server: Sdk;
  ana: string;
  token: string;
  /** Returns a value from an earlier answer. */
  last: (name: string) => string;
  /** Sends a call that the client lacks, with the server key. */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  database: TestDatabase;
  testApi: Awaited<ReturnType<typeof startTestApi>>;
  /** True when the server runs automation steps, as a complete server does. */
  doesSteps: boolean;
};
export type ContractStep = {
  /** Calls the client; untyped where the client's types are incomplete. */
  call: (at: StepContext) => unknown;
  /** Expected method, path after the keys, and body. */
  sends: (at: StepContext) => [method: string, path: string, body?: unknown];
  /** Expected result in the client: a value, or the code of a refusal. */
  gives: (at: StepContext) => unknown;
  /** Expected database content after the call. */
  keeps?: (at: StepContext) => Promise<unknown>;
  kept?: unknown;
};
export type ContractSteps = Record<string, ContractStep>;

/** Creates a step that does not depend on the context. */
export const createStep = (
  call: ContractStep["call"],
  sent: [method: string, path: string, body?: unknown],
  given: unknown,
): ContractStep => ({
  call,
  sends: () => sent,
  gives: () => given,
});
/** Creates a step for which the client has no method. */
export const createBareStep = (method: string, path: string, body: unknown, given: unknown): ContractStep =>
  createStep(({ ask }) => ask(method, path, body), [method, path, body], given);

export const anyOfType = <T>(type: T) => expect.any(type) as unknown;
export const refusalWithCode = (code: number) => ({ code });
export const untyped = (it: unknown) => it as Record<string, (...given: unknown[]) => Promise<unknown>>;
export const userService = (it: unknown) => untyped((it as Record<string, unknown>)["UserService"]);

/**
 * Starts a server, the published client, and a recording proxy between them. Calls are sent to this server,
 * or to the server whose address `next` returns. In that case this server only prepares and inspects the
 * shared database.
 */
export async function startContractSession(
  database: TestDatabase,
  next?: () => string,
  log = createLog("silent"),
) {
  const store = await startPlayStore();
  const purchases = {
    database,
    log,
    google: store.google,
    grants: { give: async () => [], take: async () => {} },
  };
  const extensions = createExtensionHost({
    folder: "test/support/extensions",
    log,
    now: () => database.clock.at,
  });
  const testApi = await startTestApi(database, { allowReset: true, log, purchases, extensions });
  await startExtensions(testApi.app);
  const recorder = await startRecordingProxy(next ?? testApi.origin);
  const sdk = (apiKey: string) =>
    Backendless.initApp({ appId: APP, apiKey, serverURL: recorder.url, standalone: true } as never) as Sdk;
  /** Creates a new client, which fetches the data it needs first. */
  const begin = (): StepContext => ({
    app: sdk(CLIENT),
    server: sdk(SERVER),
    ana: "",
    token: "",
    last: () => "",
    ask,
    database,
    testApi,
    doesSteps: next !== undefined,
  });
  async function ask(method: string, path: string, body?: unknown) {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${recorder.url}/${APP}/${SERVER}${path}`, {
      method,
      redirect: "manual",
      ...sent,
    });
    return parseAnswer(await answer.text());
  }
  const close = async () => {
    await recorder.close();
    await testApi.close();
    await extensions.close();
    await store.close();
  };
  return { testApi, recorder, store, begin, close };
}
export type ContractRun = Awaited<ReturnType<typeof startContractSession>>;

/** Runs a step and checks the request, the client's result and the database content. */
export async function runContractStep(
  { recorder }: ContractRun,
  at: StepContext,
  name: string,
  { call, sends, gives, keeps, kept }: ContractStep,
) {
  const from = recorder.recordedCalls.length;
  const given = await Promise.resolve()
    .then(() => call(at))
    .catch(({ code, message }: { code?: number; message: string }) => ({ code, message }));
  const { objectId, ["user-token"]: token } = (given ?? {}) as Record<string, string | undefined>;
  if (name.endsWith(": register")) at.ana = objectId!;
  if (name.endsWith(": login")) at.token = token!;
  const [method, path, body] = sends(at);
  const sent = recorder.recordedCalls.slice(from).filter((it) => !it.path.endsWith("/info"));
  const got = sent.map((recordedCall) => ({
    method: recordedCall.method,
    path: recordedCall.path.replace(/^\/[^/]+\/[^/]+/, ""),
    body: recordedCall.body,
  }));
  expect
    .soft({ name, sent: got }, name)
    .toMatchObject({ name, sent: [{ method, path, ...(body !== undefined && { body }) }] });
  expect.soft({ name, given }, name).toMatchObject({ name, given: gives(at) });
  at.last = (part) => String((given as Record<string, unknown>)[part]);
  if (keeps) expect.soft({ name, kept: await keeps(at) }, name).toEqual({ name, kept });
}
