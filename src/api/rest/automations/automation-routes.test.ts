import { describe, expect, test } from "vitest";
import { changeAutomation, getRun, listTriggers } from "#baas/automations";
import { run, sql } from "#platform/database";
import { SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  database,
  testApi,
  stepRunner,
  catchFault,
  createTestAutomation,
  signInPerson,
  type Sdk,
  automationsClient,
} from "../../../../test/support/rest/automation-api.ts";

describe("automation API with the published client", () => {
  test("starts an automation by name or id, and returns the context of the run", async () => {
    const id = await createTestAutomation("Welcome", {
      steps: [{ kind: "set", as: "said", value: "Hello {{trigger.data.name}}" }],
    });
    const server = automationsClient(testApi.sdk(SERVER));
    const { executionId } = await server.activateFlow("Welcome", { name: "Ines" });
    expect(await server.loadFlowExecutionContext(executionId)).toMatchObject({
      status: "running",
      context: { trigger: { data: { name: "Ines" } } },
    });
    await stepRunner();
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
    await stepRunner();
    const greetingOf = async (it: { executionId: string }) =>
      ((await server.loadFlowExecutionContext(it.executionId)) as { context: { said: string } }).context.said;
    expect([await greetingOf(again), await greetingOf(bare), await greetingOf(nothing)]).toEqual([
      "Hello Mira",
      "Hello ",
      "Hello ",
    ]);
  });

  test("calls triggers by name or id, and resumes any, all or one of the waiting runs", async () => {
    const triggers = [
      { kind: "call", name: "call" },
      { kind: "call", name: "paid", starts: false },
    ];
    const id = await createTestAutomation("Orders", {
      triggers,
      steps: [{ kind: "wait", for: "paid", as: "payment" }],
    });
    const paid = (await listTriggers(testApi.app.flows, id)).find(({ name }) => name === "paid")!.id;
    const server = automationsClient(testApi.sdk(SERVER));
    const runs = [];
    for (let n = 0; n < 5; n++)
      runs.push((await server.activateFlowTrigger("Orders", "call", { n })).executionId);
    await stepRunner();
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
    await stepRunner();
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
    expect(await catchFault(server.activateFlowTriggerById(id, paid, {}, runs[0]))).toMatchObject({
      code: 409,
    });
  });

  test("refuses missing, disabled and unreadable automations with a message", async () => {
    const id = await createTestAutomation("Off", {});
    await changeAutomation(testApi.app.flows, id, { enabled: false });
    const server = automationsClient(testApi.sdk(SERVER));
    expect(await catchFault(server.activateFlow("Nowhere"))).toEqual({
      code: 404,
      status: 404,
      message: "There is no automation 'Nowhere'.",
    });
    expect(await catchFault(server.activateFlowById("1"))).toMatchObject({ code: 404 });
    expect(await catchFault(server.activateFlowTrigger("Off", "nothing"))).toMatchObject({
      code: 404,
      message: "The automation 'Off' has no trigger 'nothing'.",
    });
    expect(await catchFault(server.loadFlowExecutionContext("1"))).toMatchObject({
      code: 404,
      message: "This run does not exist.",
    });
    expect(await catchFault(server.activateFlow("Off"))).toMatchObject({
      code: 409,
      message: "The automation 'Off' is off.",
    });
    await changeAutomation(testApi.app.flows, id, { enabled: true });
    expect(await catchFault(server.activateFlow("Off", { text: "x".repeat(70_000) }))).toMatchObject({
      code: 413,
    });
    const call = (path: string, body: unknown) =>
      testApi.call(
        "POST",
        `/0123456789ABCDEF0123456789ABCDEF01234567/${SERVER}/automation/flow/${path}`,
        body,
      );
    for (const body of [{}, { name: 1 }, { name: "" }, { name: "Off", initialData: [1] }, "text", [1], null])
      expect([body, (await call("activate-by-name", body)).status]).toEqual([body, 422]);
    expect((await call(`${id}/activate`, "text")).body).toMatchObject({ message: "data: must be an object" });
    expect((await call(`${id}/trigger/call/activate?execution=a&execution=b`, {})).status).toBe(422);
    expect((await call("trigger/activate-by-name?flowName=Off", {})).status).toBe(422);
  });
});

describe("permission to start an automation", () => {
  test("can be limited to admins or roles, or extended to everyone", async () => {
    const mira = await signInPerson("mira");
    const tomas = await signInPerson("tomas");
    const ada = await signInPerson("ada", { role: "admin" });
    const at = database.clock.at;
    await run(database.db, sql`insert into roles (name, created_at) values ('Gardeners', ${at})`);
    await run(
      database.db,
      sql`insert into person_roles (person_id, role, given_at) values (${mira.id}, 'Gardeners', ${at})`,
    );
    testApi.forget();
    for (const who of ["admins", "roles", "members", "everyone"])
      await createTestAutomation(who, { who, roles: ["Gardeners"] });
    const may = async (sdk: Sdk) => {
      const answers = await Promise.all(
        ["admins", "roles", "members", "everyone"].map(async (name) =>
          catchFault(automationsClient(sdk).activateFlow(name)),
        ),
      );
      return answers.map((it) => ("answered" in it ? true : it.code));
    };
    expect(await may(testApi.sdk(SERVER))).toEqual([true, true, true, true]);
    expect(await may(ada.sdk)).toEqual([true, true, true, true]);
    expect(await may(mira.sdk)).toEqual([404, true, true, true]);
    expect(await may(tomas.sdk)).toEqual([404, 404, true, true]);
    expect(await may(testApi.sdk())).toEqual([404, 404, 404, true]);
  });

  test("includes reading the run, but only for its starter", async () => {
    const mira = await signInPerson("mira");
    const tomas = await signInPerson("tomas");
    const record = { kind: "record", act: "create", table: "Beds", values: { name: "one" }, as: "bed" };
    await createTestAutomation("mine", { who: "everyone", rights: "starter", steps: [record] });
    await createTestAutomation("ours", { who: "everyone", steps: [record] });
    await testApi.sdk(SERVER).Data.of("Beds").save({ name: "first" });
    const { executionId } = await automationsClient(mira.sdk).activateFlow("mine");
    const { executionId: ours } = await automationsClient(mira.sdk).activateFlow("ours");
    const { executionId: guests } = await automationsClient(testApi.sdk()).activateFlow("mine");
    await stepRunner();
    const read = automationsClient(mira.sdk).loadFlowExecutionContext;
    expect(await read.call(automationsClient(mira.sdk), executionId)).toMatchObject({
      status: "done",
      context: { bed: { ownerId: mira.id } },
    });
    expect(await automationsClient(mira.sdk).loadFlowExecutionContext(ours)).toMatchObject({
      status: "done",
      context: { bed: { ownerId: null } },
    });
    expect(
      await catchFault(automationsClient(tomas.sdk).loadFlowExecutionContext(executionId)),
    ).toMatchObject({
      code: 404,
    });
    expect(await catchFault(automationsClient(testApi.sdk()).loadFlowExecutionContext(guests))).toMatchObject(
      {
        code: 404,
      },
    );
    // Anonymous callers may not create records in tables that are closed to them.
    expect(await getRun(testApi.app.flows, guests)).toMatchObject({ state: "failed" });
  });
});
