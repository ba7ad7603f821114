import { afterAll, beforeAll, beforeEach } from "vitest";
import { createDataTableStore } from "#baas/data";
import { many, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../setup/test-database.ts";
import { startExtensions, createExtensionHost } from "../../../src/api/rest/index.ts";
import { CLIENT, startTestApi, PASSWORD, type TestRestApi } from "./rest-server.ts";
import { signIn } from "#community/accounts";

export const database = await testDatabase();
export const extensions = createExtensionHost({
  folder: "test/support/extensions",
  log: createLog("silent"),
  now: () => database.clock.at,
  seconds: 5,
});
export const tables = createDataTableStore({ database, dynamicSchema: true, hooks: extensions.hooks });
export let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database, { extensions, tables });
  await startExtensions(testApi.app);
});
afterAll(async () => {
  await testApi.close();
  await extensions.close();
});
beforeEach(() => testApi.forget());

export const CLIENT_PATH = `/0123456789ABCDEF0123456789ABCDEF01234567/${CLIENT}`;
export const getCallOutcome = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    ({ code, message, status }: { code: number; message: string; status: number }) => ({
      code,
      message,
      status,
    }),
  );

/** Creates a person with an app session, and the published client that acts as this person. */
export async function signInTestPerson(username: string) {
  const id = await testApi.member(username);
  const from = { address: "203.0.113.7", userAgent: "a test", acceptLanguage: "en" };
  const signedIn = await signIn(testApi.app, { login: username, password: PASSWORD }, from, "api");
  if (signedIn.kind !== "signed-in") throw new Error(`${username} could not sign in`);
  const sdk = testApi.sdk();
  sdk.LocalCache.set("user-token", signedIn.session.token);
  return { id, token: signedIn.session.token, sdk };
}

type QueuedJob = { id: string; payload: Record<string, unknown>; priority: number };
export const listQueuedJobs = () =>
  many(
    database.db,
    sql<QueuedJob>`select j.id, j.payload, j.priority from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'extension-call' order by j.id`,
  );
