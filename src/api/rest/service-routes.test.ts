import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { COMMUNITY_SERVICES } from "#community/services";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { MAX_DEFERRED_CALLS } from "./call-limits.ts";
import { runDeferredCall, SERVICE_CALL_TASK } from "./extensions/extension-calls.ts";
import {
  CLIENT,
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../test/support/rest/rest-server.ts";
import { signIn } from "#community/accounts";

const database = await testDatabase();
let testApi: TestRestApi;
let people: TestUsers;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
});

const KEYS = `/0123456789ABCDEF0123456789ABCDEF01234567/${CLIENT}`;

/** A person with an app session, and the published client acting as that person. */
async function speaking(username: string) {
  const id = await testApi.member(username);
  const from = { address: "203.0.113.7", userAgent: "a test", acceptLanguage: "en" };
  const signedIn = await signIn(testApi.app, { login: username, password: PASSWORD }, from, "api");
  if (signedIn.kind !== "signed-in") throw new Error(`${username} could not sign in`);
  const token = signedIn.session.token;
  const sdk = testApi.sdk();
  sdk.LocalCache.set("user-token", token);
  return { id, token, sdk };
}
const fault = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    (error: { code: number; message: string; status: number }) => ({
      code: error.code,
      message: error.message,
      status: error.status,
    }),
  );

describe("services with the published client", () => {
  test("run commands as the caller", async () => {
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    const bram = await speaking("bram");
    expect(await bram.sdk.CustomServices.invoke("Groups", "join", { groupId: group.id })).toBeNull();
    const reply = (await bram.sdk.CustomServices.invoke("Posts", "reply", {
      discussionId: id,
      body: "After the ice saints.",
    })) as {
      number: number;
    };
    expect(reply).toMatchObject({ number: 2, plain: [] });
    expect(
      await many(database.db, sql`select body_md as body, author_id as by from posts where number = 2`),
    ).toEqual([{ body: "After the ice saints.", by: bram.id }]);
  });

  test("return the message and status of a command's refusal", async () => {
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    const [bram, guest] = [await speaking("bram"), testApi.sdk()];
    const join = (sdk: typeof guest, input: unknown) =>
      fault(sdk.CustomServices.invoke("Groups", "join", input as object));
    expect(await join(guest, { groupId: group.id })).toMatchObject({ code: 401 });
    expect(await join(bram.sdk, { groupId: "nothing" })).toEqual({
      code: 422,
      status: 422,
      message: "groupId: Unknown value.",
    });
    expect(await join(bram.sdk, undefined)).toMatchObject({ code: 422 });
    expect(
      await fault(bram.sdk.CustomServices.invoke("Posts", "reply", { discussionId: id, body: "?" })),
    ).toEqual({
      code: 403,
      status: 403,
      message: "Join the group to reply.",
    });
    expect(await fault(bram.sdk.CustomServices.invoke("Nobody", "join", {}))).toMatchObject({
      code: 404,
      message: "There is no service 'Nobody'.",
    });
    expect(await fault(bram.sdk.CustomServices.invoke("Groups", "sing", {}))).toMatchObject({
      message: "The service 'Groups' has no method 'sing'.",
    });
  });

  test.each(["async", "async-low-priority"])(
    "run after the response when called as %s",
    async (execution) => {
      const bram = await speaking("bram");
      const invoke = (input: object) =>
        bram.sdk.CustomServices.invoke("Groups", "create", input, execution as never);
      const group = { name: execution, visibility: "public", joinPolicy: "open" };
      expect(await invoke(group)).toBeNull();
      expect(await fault(invoke({ ...group, visibility: "nobody's" }))).toMatchObject({ code: 422 });
      const groups = () => many(database.db, sql`select from groups where name = ${execution}`);
      expect(await groups()).toHaveLength(0);
      const due = await many(
        database.db,
        sql<{ payload: Record<string, unknown> }>`
        select j.payload from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${SERVICE_CALL_TASK}`,
      );
      expect(due).toHaveLength(1);
      for (const { payload } of due) await runDeferredCall(testApi.app, payload);
      expect(await groups()).toHaveLength(1);
      // A deferred call that is refused when it runs is reported to no one and not retried.
      await runDeferredCall(testApi.app, {
        ...due[0]!.payload,
        method: "leave",
        input: { groupId: bram.id },
      });
      await run(database.db, sql`delete from graphile_worker._private_jobs`);
    },
  );

  test("allow 500 deferred calls per caller in five minutes", async () => {
    await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
    const [bram, olga] = [await speaking("bram"), await speaking("olga")];
    const defer = async ({ token }: { token: string }) =>
      testApi.call(
        "POST",
        `${KEYS}/services/Notifications/markAllSeen`,
        {},
        { "user-token": token, "bl-execution-type": "async" },
      );
    for (let calls = 0; calls < MAX_DEFERRED_CALLS; calls++) expect((await defer(bram)).status).toBe(200);
    expect(await defer(bram)).toMatchObject({ status: 429 });
    expect(await defer(olga)).toMatchObject({ status: 200, body: null });
    await run(database.db, sql`delete from graphile_worker._private_jobs`);
  });

  test("refuse an unknown execution type", async () => {
    const bram = await speaking("bram");
    const odd = await testApi.call(
      "POST",
      `${KEYS}/services/Notifications/markAllSeen`,
      {},
      { "user-token": bram.token, "bl-execution-type": "whenever" },
    );
    expect(odd).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^The execution type must be one of/) as string },
    });
  });

  test("handle input of any type without an internal error", async () => {
    await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
    const bram = await speaking("bram");
    const statuses = new Set<number>();
    for (const { entity, name } of COMMUNITY_SERVICES)
      for (const sent of [
        undefined,
        "text",
        [1],
        7,
        null,
        { groupId: 1, discussionId: [], personId: {}, body: true },
      ]) {
        const { status } = await testApi.call("POST", `${KEYS}/services/${entity}/${name}`, sent, {
          "user-token": bram.token,
        });
        statuses.add(status);
        expect([entity, name, sent, status < 500]).toEqual([entity, name, sent, true]);
      }
    expect([...statuses]).toContain(422);
  });

  test("refuse the server key without a person", async () => {
    const group = await createTestGroup(database, people);
    expect(
      await fault(testApi.sdk(SERVER).CustomServices.invoke("Groups", "join", { groupId: group.id })),
    ).toMatchObject({ code: 401 });
  });
});
