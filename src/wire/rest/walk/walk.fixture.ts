import Backendless from "backendless";
import { expect } from "vitest";
import { openPurchases } from "#backend/purchases";
import { openLog } from "#platform/log";
import type { TestDatabase } from "../../../../test/setup/database.ts";
import { beginExtensions, openExtensions } from "../index.ts";
import { openRecorder, read } from "../recorder.fixture.ts";
import { APP, CLIENT, openDoor, SERVER } from "../rest.fixture.ts";
import { openStore } from "../store.fixture.ts";

export type Sdk = typeof Backendless;

/** Walks begin now. Where servers of their own are walked through, nobody can stand their clocks still. */
export const NOW = new Date();
/** Numbers that go on while one walks: this one, give or take some minutes. */
export const about = (number: number) => expect.closeTo(number, -3) as unknown;

/** Who walks, and where: the client with either key, and who has come in on the way. */
export type At = {
  app: Sdk;
  server: Sdk;
  ana: string;
  token: string;
  /** Something of the answer before. */
  last: (name: string) => string;
  /** A call that the client does not make, with the server key. */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  database: TestDatabase;
  door: Awaited<ReturnType<typeof openDoor>>;
  /** Whether what is called does the steps of automations meanwhile, as a whole server does. */
  doesSteps: boolean;
};
export type Line = {
  /** What the client is told to do. Its types do not know all that it can. */
  call: (at: At) => unknown;
  /** Method, path after the keys, and body that it sends for it. */
  sends: (at: At) => [method: string, path: string, body?: unknown];
  /** What the client makes of the answer: a value, or the number of a refusal. */
  gives: (at: At) => unknown;
  /** What stands in the database then. */
  keeps?: (at: At) => Promise<unknown>;
  kept?: unknown;
};
export type Lines = Record<string, Line>;

/** A line that is the same whoever walks. */
export const line = (call: Line["call"], sent: [method: string, path: string, body?: unknown], given: unknown): Line => ({
  call,
  sends: () => sent,
  gives: () => given,
});
/** A line for which the client has no call. */
export const bare = (method: string, path: string, body: unknown, given: unknown): Line =>
  line(({ ask }) => ask(method, path, body), [method, path, body], given);

export const aKindOf = <T>(type: T) => expect.any(type) as unknown;
export const refusal = (code: number) => ({ code });
export const loosely = (it: unknown) => it as Record<string, (...given: unknown[]) => Promise<unknown>>;
export const provider = (it: unknown) => loosely((it as Record<string, unknown>)["UserService"]);

/**
 * The house, and the client as it is published in front of it, with somebody between them who writes down what is said. Calls go to the house,
 * or each to where `next` says: then the house only furnishes the database that is shared, and looks into it.
 */
export async function openWalk(database: TestDatabase, next?: () => string, log = openLog("silent")) {
  const store = await openStore();
  const purchases = openPurchases({ database, log, google: store.google, grants: { give: async () => [], take: async () => {} } });
  const extensions = openExtensions({ folder: "test/extensions", log, now: () => database.clock.at });
  const door = await openDoor(database, { allowReset: true, log, purchases, extensions });
  await beginExtensions(door.house);
  const recorder = await openRecorder(next ?? door.origin);
  const sdk = (apiKey: string) => Backendless.initApp({ appId: APP, apiKey, serverURL: recorder.url, standalone: true } as never) as Sdk;
  /** Somebody who sets out: the client asks for what it needs to know as soon as it is there. */
  const begin = (): At => ({
    app: sdk(CLIENT),
    server: sdk(SERVER),
    ana: "",
    token: "",
    last: () => "",
    ask,
    database,
    door,
    doesSteps: next !== undefined,
  });
  async function ask(method: string, path: string, body?: unknown) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${recorder.url}/${APP}/${SERVER}${path}`, { method, redirect: "manual", ...sent });
    return read(await answer.text());
  }
  const close = async () => {
    await recorder.close();
    await door.close();
    await extensions.close();
    await store.close();
  };
  return { door, recorder, store, begin, close };
}
export type Walk = Awaited<ReturnType<typeof openWalk>>;

/** Goes along one line: what is sent for it, what the client makes of the answer, what is kept. */
export async function step({ recorder }: Walk, at: At, name: string, { call, sends, gives, keeps, kept }: Line) {
  const from = recorder.heard.length;
  const given = await Promise.resolve()
    .then(() => call(at))
    .catch(({ code, message }: { code?: number; message: string }) => ({ code, message }));
  const { objectId, ["user-token"]: token } = (given ?? {}) as Record<string, string | undefined>;
  if (name.endsWith(": register")) at.ana = objectId!;
  if (name.endsWith(": login")) at.token = token!;
  const [method, path, body] = sends(at);
  const sent = recorder.heard.slice(from).filter((it) => !it.path.endsWith("/info"));
  const got = sent.map((it) => ({ method: it.method, path: it.path.replace(/^\/[^/]+\/[^/]+/, ""), body: it.body }));
  expect.soft({ name, sent: got }, name).toMatchObject({ name, sent: [{ method, path, ...(body !== undefined && { body }) }] });
  expect.soft({ name, given }, name).toMatchObject({ name, given: gives(at) });
  at.last = (part) => String((given as Record<string, unknown>)[part]);
  if (keeps) expect.soft({ name, kept: await keeps(at) }, name).toEqual({ name, kept });
}
