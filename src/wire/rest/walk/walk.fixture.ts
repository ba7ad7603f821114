import Backendless from "backendless";
import { expect } from "vitest";
import type { TestDatabase } from "../../../../test/setup/database.ts";
import { openRecorder } from "../recorder.fixture.ts";
import { APP, CLIENT, openDoor, SERVER } from "../rest.fixture.ts";

export type Sdk = typeof Backendless;
/** Who walks, and where: the client with either key, and who has come in on the way. */
export type At = {
  app: Sdk;
  server: Sdk;
  ana: string;
  token: string;
  database: TestDatabase;
  door: Awaited<ReturnType<typeof openDoor>>;
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

export const any = <T>(type: T) => expect.any(type) as unknown;
export const refusal = (code: number) => ({ code });
export const loosely = (it: unknown) => it as Record<string, (...given: unknown[]) => Promise<unknown>>;
export const provider = (it: unknown) => loosely((it as Record<string, unknown>)["UserService"]);

/** The house, and the client as it is published in front of it, with somebody between them who writes down what is said. */
export async function openWalk(database: TestDatabase) {
  const door = await openDoor(database);
  const recorder = await openRecorder(door.origin);
  const sdk = (apiKey: string) => Backendless.initApp({ appId: APP, apiKey, serverURL: recorder.url, standalone: true } as never) as Sdk;
  const at = (): At => ({ app: sdk(CLIENT), server: sdk(SERVER), ana: "", token: "", database, door });
  const close = async () => {
    await recorder.close();
    await door.close();
  };
  return { door, recorder, at, close };
}
export type Walk = Awaited<ReturnType<typeof openWalk>>;

/** Goes along one line: what is sent for it, what the client makes of the answer, what is kept. */
export async function step({ recorder }: Walk, at: At, name: string, { call, sends, gives, keeps, kept }: Line) {
  const from = recorder.heard.length;
  const given = await Promise.resolve()
    .then(() => call(at))
    .catch((error: unknown) => error);
  const { objectId, ["user-token"]: token } = (given ?? {}) as Record<string, string | undefined>;
  if (name.endsWith(": register")) at.ana = objectId!;
  if (name.endsWith(": login")) at.token = token!;
  const [method, path, body] = sends(at);
  const sent = recorder.heard.slice(from).filter((it) => !it.path.endsWith("/info"));
  const got = sent.map((it) => ({ method: it.method, path: it.path.replace(/^\/[^/]+\/[^/]+/, ""), body: it.body }));
  expect.soft({ name, sent: got }).toMatchObject({ name, sent: [{ method, path, ...(body !== undefined && { body }) }] });
  expect.soft({ name, given }).toMatchObject({ name, given: gives(at) });
  if (keeps) expect.soft({ name, kept: await keeps(at) }).toEqual({ name, kept });
}
