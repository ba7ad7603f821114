import { afterAll, beforeAll, beforeEach } from "vitest";
import { openTables } from "#backend/tables";
import { many, sql } from "#platform/database";
import { openLog } from "#platform/log";
import { testDatabase } from "../../../test/setup/database.ts";
import { beginExtensions, openExtensions } from "./index.ts";
import { CLIENT, openDoor, PASSWORD, type RestDoor } from "./rest.fixture.ts";

export const database = await testDatabase();
export const extensions = openExtensions({ folder: "test/extensions", log: openLog("silent"), now: () => database.clock.at, seconds: 5 });
export const tables = openTables({ database, dynamicSchema: true, hooks: extensions.hooks });
export let door: RestDoor;
beforeAll(async () => {
  door = await openDoor(database, { extensions, tables });
  await beginExtensions(door.house);
});
afterAll(async () => {
  await door.close();
  await extensions.close();
});
beforeEach(() => door.forget());

export const KEYS = `/0123456789ABCDEF0123456789ABCDEF01234567/${CLIENT}`;
export const fault = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    ({ code, message, status }: { code: number; message: string; status: number }) => ({ code, message, status }),
  );

/** A person with an app session, and the published client acting as that person. */
export async function speaking(username: string) {
  const id = await door.member(username);
  const from = { address: "203.0.113.7", userAgent: "a test", acceptLanguage: "en" };
  const signedIn = await door.house.accounts.signIn({ login: username, password: PASSWORD }, from, "wire");
  if (signedIn.kind !== "signed-in") throw new Error(`${username} could not sign in`);
  const sdk = door.sdk();
  sdk.LocalCache.set("user-token", signedIn.session.token);
  return { id, token: signedIn.session.token, sdk };
}

type Job = { id: string; payload: Record<string, unknown>; priority: number };
export const jobs = () =>
  many(
    database.db,
    sql<Job>`select j.id, j.payload, j.priority from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'extension-call' order by j.id`,
  );
