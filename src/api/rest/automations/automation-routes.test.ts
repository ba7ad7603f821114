import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  changeAutomation,
  triggerAutomations,
  listenToMessages,
  listRuns,
  createAutomation,
  getRun,
  listTriggers,
} from "#baas/automations";
import { listLogLines } from "#baas/logging";
import { one, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createEventCarrier, createStepRunner } from "../../../../test/support/rest/automation-steps.ts";
import {
  openTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let door: TestRestApi;
let steps: ReturnType<typeof createStepRunner>;
let carry: ReturnType<typeof createEventCarrier>;
beforeAll(async () => {
  door = await openTestApi(database);
  steps = createStepRunner(door.app);
  carry = createEventCarrier(door.app);
});
afterAll(() => door.close());
beforeEach(() => door.forget());

const fault = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    ({ code, message, status }: { code: number; message: string; status: number }) => ({
      code,
      message,
      status,
    }),
  );

async function made(name: string, definition: object) {
  const id = await createAutomation(door.app.flows, {
    name,
    definition: { triggers: [{ kind: "call", name: "call" }], ...definition },
  });
  await changeAutomation(door.app.flows, id, { enabled: true });
  door.app.flows.watched.forget();
  return id;
}

/** A person with an app session, and the published client acting as that person. */
async function speaking(username: string, more: object = {}) {
  const id = await door.member(username, more);
  const from = { address: "203.0.113.7", userAgent: "a test", acceptLanguage: "en" };
  const signedIn = await door.app.accounts.signIn({ login: username, password: PASSWORD }, from, "wire");
  if (signedIn.kind !== "signed-in") throw new Error(`${username} could not sign in`);
  const sdk = door.sdk();
  sdk.LocalCache.set("user-token", signedIn.session.token);
  return { id, sdk };
}

type Sdk = ReturnType<TestRestApi["sdk"]>;
/** Answers and execution contexts missing in the client's types. */
type Automations = {
  activateFlow: (name: string, data?: object) => Promise<{ executionId: string }>;
  activateFlowById: (id: string, data?: object) => Promise<{ executionId: string }>;
  activateFlowTrigger: (
    flow: string,
    trigger: string,
    data?: object,
  ) => Promise<{ executionId: string; executionIds: string[] }>;
  activateFlowTriggerById: (
    flow: string,
    trigger: string,
    data?: object,
    execution?: string,
  ) => Promise<{ executionIds: string[] }>;
  loadFlowExecutionContext: (id: string) => Promise<Record<string, unknown>>;
};
const automations = (sdk: Sdk) => sdk.Automations as unknown as Automations;

const runsOf = async (id: string) => (await listRuns(door.app.flows, id)).rows;
const rowsOf = (table: string) => door.sdk(SERVER).Data.of(table).find<Record<string, unknown>>();

describe("automations with the published client", () => {
  test("client starts an automation by name and by id, and reads the run's context", async () => {
    const id = await made("Welcome", {
      steps: [{ kind: "set", as: "said", value: "Hello {{trigger.data.name}}" }],
    });
    const server = automations(door.sdk(SERVER));
    const { executionId } = await server.activateFlow("Welcome", { name: "Ines" });
    expect(await server.loadFlowExecutionContext(executionId)).toMatchObject({
      status: "running",
      context: { trigger: { data: { name: "Ines" } } },
    });
    await steps();
    expect(await server.loadFlowExecutionContext(executionId)).toEqual({
      executionId,
      flowId: id,
      flowName: "Welcome",
      status: "done",
      waitingFor: null,
      startedAt: expect.any(Number) as number,
      endedAt: expect.any(Number) as number,
      error: null,
      context: { trigger: { name: "call", kind: "call", data: { name: "Ines" } }, said: "Hello Ines" },
    });
    const again = await server.activateFlowById(id, { name: "Mira" });
    const bare = await server.activateFlowById(id);
    const nothing = await server.activateFlow("Welcome");
    await steps();
    const said = async (it: { executionId: string }) =>
      ((await server.loadFlowExecutionContext(it.executionId)) as { context: { said: string } }).context.said;
    expect([await said(again), await said(bare), await said(nothing)]).toEqual([
      "Hello Mira",
      "Hello ",
      "Hello ",
    ]);
  });

  test("client calls triggers by name and by id, and resumes any, all or one of the waiting runs", async () => {
    const triggers = [
      { kind: "call", name: "call" },
      { kind: "call", name: "paid", starts: false },
    ];
    const id = await made("Orders", { triggers, steps: [{ kind: "wait", for: "paid", as: "payment" }] });
    const paid = (await listTriggers(door.app.flows, id)).find(({ name }) => name === "paid")!.id;
    const server = automations(door.sdk(SERVER));
    const runs = [];
    for (let n = 0; n < 5; n++)
      runs.push((await server.activateFlowTrigger("Orders", "call", { n })).executionId);
    await steps();
    expect(await server.activateFlowTrigger("Orders", "paid", { by: "name" })).toEqual({
      executionId: runs[0],
      executionIds: [runs[0]],
    });
    expect(await server.activateFlowTriggerById(id, paid, { by: "id" })).toMatchObject({
      executionIds: [runs[1]],
    });
    expect(await server.activateFlowTriggerById(id, paid, { by: "any" }, "any")).toMatchObject({
      executionIds: [runs[2]],
    });
    expect(await server.activateFlowTriggerById(id, "paid", { by: "run" }, runs[4])).toMatchObject({
      executionIds: [runs[4]],
    });
    expect(await server.activateFlowTriggerById(id, paid, undefined, "all")).toMatchObject({
      executionIds: [runs[3]],
    });
    expect(await server.activateFlowTriggerById(id, paid, undefined, "all")).toEqual({
      executionId: null,
      executionIds: [],
    });
    await steps();
    const brought = await Promise.all(
      runs.map(async (it) => (await server.loadFlowExecutionContext(it))["context"] as { payment: object }),
    );
    expect(brought.map(({ payment }) => payment)).toEqual([
      { by: "name" },
      { by: "id" },
      { by: "any" },
      {},
      { by: "run" },
    ]);
    expect(await fault(server.activateFlowTriggerById(id, paid, {}, runs[0]))).toMatchObject({ code: 409 });
  });

  test("missing, disabled and unreadable automations are refused with a message", async () => {
    const id = await made("Off", {});
    await changeAutomation(door.app.flows, id, { enabled: false });
    const server = automations(door.sdk(SERVER));
    expect(await fault(server.activateFlow("Nowhere"))).toEqual({
      code: 404,
      status: 404,
      message: "There is no flow 'Nowhere' here.",
    });
    expect(await fault(server.activateFlowById("1"))).toMatchObject({ code: 404 });
    expect(await fault(server.activateFlowTrigger("Off", "nothing"))).toMatchObject({
      code: 404,
      message: "The flow 'Off' has no trigger 'nothing'.",
    });
    expect(await fault(server.loadFlowExecutionContext("1"))).toMatchObject({
      code: 404,
      message: "This run does not exist.",
    });
    expect(await fault(server.activateFlow("Off"))).toMatchObject({
      code: 409,
      message: "The automation 'Off' is off.",
    });
    await changeAutomation(door.app.flows, id, { enabled: true });
    expect(await fault(server.activateFlow("Off", { text: "x".repeat(70_000) }))).toMatchObject({
      code: 413,
    });
    const call = (path: string, body: unknown) =>
      door.call("POST", `/0123456789ABCDEF0123456789ABCDEF01234567/${SERVER}/automation/flow/${path}`, body);
    for (const body of [{}, { name: 1 }, { name: "" }, { name: "Off", initialData: [1] }, "text", [1], null])
      expect([body, (await call("activate-by-name", body)).status]).toEqual([body, 422]);
    expect((await call(`${id}/activate`, "text")).body).toMatchObject({ message: "data: must be an object" });
    expect((await call(`${id}/trigger/call/activate?execution=a&execution=b`, {})).status).toBe(422);
    expect((await call("trigger/activate-by-name?flowName=Off", {})).status).toBe(422);
  });
});

describe("permission to start an automation", () => {
  test("belongs to admins, the server key and named callers; to others the automation does not exist", async () => {
    const mira = await speaking("mira");
    const tomas = await speaking("tomas");
    const ada = await speaking("ada", { role: "admin" });
    const at = database.clock.at;
    await run(database.db, sql`insert into roles (name, created_at) values ('Gardeners', ${at})`);
    await run(
      database.db,
      sql`insert into person_roles (person_id, role, given_at) values (${mira.id}, 'Gardeners', ${at})`,
    );
    door.forget();
    for (const who of ["admins", "roles", "members", "everyone"])
      await made(who, { who, roles: ["Gardeners"] });
    const may = async (sdk: Sdk) => {
      const answers = await Promise.all(
        ["admins", "roles", "members", "everyone"].map(async (name) =>
          fault(automations(sdk).activateFlow(name)),
        ),
      );
      return answers.map((it) => ("answered" in it ? true : it.code));
    };
    expect(await may(door.sdk(SERVER))).toEqual([true, true, true, true]);
    expect(await may(ada.sdk)).toEqual([true, true, true, true]);
    expect(await may(mira.sdk)).toEqual([404, true, true, true]);
    expect(await may(tomas.sdk)).toEqual([404, 404, true, true]);
    expect(await may(door.sdk())).toEqual([404, 404, 404, true]);
  });

  test("lets the starter read a run, and runs steps as the starter where the automation says so", async () => {
    const mira = await speaking("mira");
    const tomas = await speaking("tomas");
    const record = { kind: "record", act: "create", table: "Beds", values: { name: "one" }, as: "bed" };
    await made("mine", { who: "everyone", rights: "starter", steps: [record] });
    await made("ours", { who: "everyone", steps: [record] });
    await door.sdk(SERVER).Data.of("Beds").save({ name: "first" });
    const { executionId } = await automations(mira.sdk).activateFlow("mine");
    const { executionId: ours } = await automations(mira.sdk).activateFlow("ours");
    const { executionId: guests } = await automations(door.sdk()).activateFlow("mine");
    await steps();
    const read = automations(mira.sdk).loadFlowExecutionContext;
    expect(await read.call(automations(mira.sdk), executionId)).toMatchObject({
      status: "done",
      context: { bed: { ownerId: mira.id } },
    });
    expect(await automations(mira.sdk).loadFlowExecutionContext(ours)).toMatchObject({
      status: "done",
      context: { bed: { ownerId: null } },
    });
    expect(await fault(automations(tomas.sdk).loadFlowExecutionContext(executionId))).toMatchObject({
      code: 404,
    });
    expect(await fault(automations(door.sdk()).loadFlowExecutionContext(guests))).toMatchObject({
      code: 404,
    });
    // Anonymous callers may not create in tables closed to them.
    expect(await getRun(door.app.flows, guests)).toMatchObject({ state: "failed" });
  });
});

describe("events that start automations", () => {
  test("table change starts each listening automation once", async () => {
    const step = { kind: "set", as: "seen", value: "{{trigger.data.event}} {{trigger.data.record.name}}" };
    const on = (events: string[], where?: string) => ({
      triggers: [{ kind: "table", name: "t", table: "Order", events, ...(where && { where }) }],
      steps: [step],
    });
    const created = await made("created", on(["created"]));
    const big = await made("big", on(["created", "updated"], "total > 100"));
    const deleted = await made("deleted", on(["deleted"]));
    const bulk = await made("bulk", on(["bulk-created", "bulk-deleted"]));
    const orders = door.sdk(SERVER).Data.of("Order");
    const small = (await orders.save({ name: "small", total: 5 })) as unknown as { objectId: string };
    await orders.save({ name: "large", total: 500 });
    await carry();
    await orders.save({ objectId: small.objectId, total: 101 });
    await orders.remove(small.objectId);
    const ids = await orders.bulkCreate([
      { name: "a", total: 200 },
      { name: "b", total: 200 },
    ]);
    await orders.bulkDelete("total = 200");
    await carry();
    await steps();
    const seen = async (id: string) =>
      (
        await Promise.all(
          (await runsOf(id)).map(async (it) => (await getRun(door.app.flows, it.id)).context["seen"]),
        )
      ).toReversed();
    expect(await seen(created)).toEqual(["created small", "created large"]);
    expect(await seen(big)).toEqual(["created large"]);
    expect(await seen(deleted)).toEqual(["deleted small"]);
    const many = (
      await Promise.all(
        (await runsOf(bulk)).map(async (it) => (await getRun(door.app.flows, it.id)).context["trigger"]),
      )
    ).toReversed();
    expect(many).toMatchObject([
      { data: { event: "bulk-created", table: "Order" } },
      { data: { event: "bulk-deleted", count: 2 } },
    ]);
    expect(JSON.stringify(many[0])).toContain(ids[0]);
    // Delivered twice, since the dispatcher may crash and restart.
    const { id, payload } = await one(
      database.db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`select id, payload from outbox where type = 'record.created' limit 1`,
    );
    await triggerAutomations(door.app.flows, payload, id);
    expect(await runsOf(created)).toHaveLength(2);
  });

  test("automation that triggers itself stops, in tables and on channels", async () => {
    const table = await made("fed", {
      triggers: [{ kind: "table", name: "t", table: "Fed", events: ["created"] }],
      steps: [{ kind: "record", act: "create", table: "Fed", values: { from: "{{execution.id}}" } }],
    });
    const channel = await made("echo", {
      triggers: [{ kind: "channel", name: "c", channel: "echo" }],
      steps: [{ kind: "message", channel: "echo", message: { heard: "{{trigger.data.message}}" } }],
    });
    const deafen = listenToMessages(door.app.flows);
    await door.sdk(SERVER).Data.of("Fed").save({ from: "outside" });
    await door.sdk(SERVER).Messaging.publish("echo", "Hello");
    await expect.poll(async () => (await runsOf(channel)).length).toBe(1);
    for (let n = 0; n < 10; n++) {
      await carry();
      await steps();
    }
    await expect.poll(async () => (await steps(), (await runsOf(channel)).length)).toBe(6);
    deafen();
    expect(await runsOf(table)).toHaveLength(6);
    // One record from outside, and one from each run.
    expect(await rowsOf("Fed")).toHaveLength(7);
  });

  test("channel message starts an automation when its headers match", async () => {
    const id = await made("heard", {
      triggers: [{ kind: "channel", name: "c", channel: "garden", selector: "age > 30" }],
    });
    const deafen = listenToMessages(door.app.flows);
    const publish = (age: number) =>
      door.call("POST", `/0123456789ABCDEF0123456789ABCDEF01234567/${SERVER}/messaging/garden`, {
        message: "Hello",
        headers: { age },
      });
    await publish(20);
    await publish(40);
    await expect.poll(async () => (await runsOf(id)).length).toBe(1);
    deafen();
    expect(await getRun(door.app.flows, (await runsOf(id))[0]!.id)).toMatchObject({
      context: {
        trigger: { kind: "channel", data: { channel: "garden", message: "Hello", headers: { age: "40" } } },
      },
    });
  });

  test("service call returns its answer, and log lines of runs belong to automations", async () => {
    const ines = await speaking("ines");
    await made("groups", {
      who: "everyone",
      rights: "starter",
      steps: [
        {
          kind: "call",
          name: "Found it",
          service: "Groups",
          method: "create",
          input: { name: "Bees", visibility: "{{trigger.data.how}}" },
        },
      ],
    });
    const { executionId } = await automations(ines.sdk).activateFlow("groups", { how: "wide open" });
    await steps();
    expect(await getRun(door.app.flows, executionId)).toMatchObject({
      state: "failed",
      fault: "Found it: visibility: Choose who can find and read the group.",
    });
    await expect
      .poll(async () =>
        (await listLogLines(door.app.logs, { logger: "flow groups" })).lines.map(
          ({ kind, level }) => `${kind} ${level}`,
        ),
      )
      .toEqual(["automation ERROR", "automation INFO"]);
  });
});
