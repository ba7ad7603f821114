import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  changeAutomation,
  listRuns,
  createAutomation,
  getRun,
  type RunState,
  listRunSteps,
} from "#baas/automations";
import { findRecords, withTable } from "#baas/data";
import { openDatabase } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { type ServerProcess, startServer, waitUntil } from "../support/processes/server-process.ts";
import { createTestAutomations } from "../support/automations.ts";
import { createDatabase, databaseConfig, connectionUrl } from "../support/setup/global-setup.ts";

/** Automations over two servers on one database, one of which ends suddenly. */
const DATABASE = "kith_flows";
const dataDir = mkdtempSync(join(tmpdir(), "kith-flows-"));
const connection = databaseConfig(inject("server"), DATABASE);
const url = connectionUrl(connection);
const SERVER_KEY = "5".repeat(40);
const env = {
  DATABASE_URL: url,
  KITH_SERVER_KEY: SERVER_KEY,
  KITH_SEED: "empty",
  KITH_ADMIN_EMAIL: "ada@example.org",
  KITH_ADMIN_PASSWORD: "seven brown hens in a row",
};
const database = openDatabase({
  connection,
  runtime: { now: () => new Date(), newId: uuidv7 },
  size: 2,
  onIdleError: () => {},
});
// Used to create and inspect automations; the servers run them.
const { tables, flows } = createTestAutomations(database);
let here: ServerProcess;
let there: ServerProcess;
/**
 * Automations with table triggers, created first: a process may cache the list of triggers for two seconds.
 */
let automationIds: { letters: string; people: string };

beforeAll(async () => {
  await createDatabase(inject("server"), DATABASE);
  here = await startServer(dataDir, env);
  there = await startServer(dataDir, env);
  automationIds = {
    letters: await create("hears", { triggers: [{ kind: "table", name: "new", table: "Letters" }] }),
    people: await create("welcomes", {
      triggers: [{ kind: "table", name: "new", table: "Users" }],
      steps: [
        {
          kind: "record",
          act: "create",
          table: "Welcomes",
          values: { person: "{{trigger.data.record.objectId}}" },
        },
      ],
    }),
  };
}, 90_000);
afterAll(async () => {
  await database.close();
  for (const server of [here, there]) server.child.kill("SIGTERM");
  await Promise.all([here.ended, there.ended]);
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

async function create(name: string, definition: object) {
  const id = await createAutomation(flows, {
    name,
    definition: { who: "everyone", triggers: [{ kind: "call", name: "call" }], ...definition },
  });
  await changeAutomation(flows, id, { enabled: true });
  return id;
}
async function call(
  server: ServerProcess,
  method: string,
  path: string,
  data: object,
): Promise<Record<string, unknown>> {
  const { appId } = (await (await fetch(`${server.url}/api/info`)).json()) as { appId: string };
  const body = JSON.stringify(data);
  const answer = await fetch(`${server.url}/${appId}/${SERVER_KEY}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}
const activate = async (server: ServerProcess, id: string, data: object) =>
  String((await call(server, "POST", `/automation/flow/${id}/activate`, data))["executionId"]);
const stateOf = async (run: string): Promise<RunState> => (await getRun(flows, run)).state;
/** Reads as the server itself. */
const HOUSE = { userId: null, roles: [], server: true };
const numbered = (n: number) => Array.from({ length: n }, (_, at) => at);

describe("automations in two processes", () => {
  const steps = [
    {
      kind: "loop",
      over: "{{trigger.data.items}}",
      as: "item",
      do: [
        {
          kind: "record",
          act: "create",
          table: "Parcels",
          values: { run: "{{execution.id}}", item: "{{item}}" },
        },
      ],
    },
  ];

  test("run each step exactly once, even if a process is killed during the run", async () => {
    const id = await create("parcels", { steps });
    const items = numbered(60);
    const runs = [await activate(here, id, { items }), await activate(there, id, { items })];
    // One server is killed in the middle of the work.
    await waitUntil(async () => (await listRunSteps(flows, runs[0]!)).rows.length > 5);
    here.child.kill("SIGKILL");
    await here.ended;
    await waitUntil(async () => (await Promise.all(runs.map(stateOf))).every((state) => state === "done"));
    for (const run of runs) {
      const query = { where: `run = '${run}'`, pageSize: 100 };
      const parcels = await withTable(tables, "Parcels", (table) => findRecords(tables, HOUSE, table, query));
      expect(parcels.map(({ item }) => Number(item)).toSorted((a, b) => a - b)).toEqual(items);
    }
    for (const run of runs)
      expect((await listRunSteps(flows, run)).rows.every(({ outcome }) => outcome === "done")).toBe(true);
  }, 90_000);

  test("start a scheduled run once, and continue waiting runs after a restart", async () => {
    here = await startServer(dataDir, env);
    const at = new Date(Date.now() + 1_500).toISOString();
    const clock = await create("clock", { triggers: [{ kind: "schedule", name: "once", at }] });
    const waiting = await create("waiting", {
      steps: [
        { kind: "wait", seconds: 4 },
        { kind: "set", as: "woken", value: true },
      ],
    });
    const run = await activate(there, waiting, {});
    await waitUntil(async () => (await stateOf(run)) === "waiting");
    await waitUntil(async () => (await listRuns(flows, clock)).rows.some(({ state }) => state === "done"));
    for (const server of [here, there]) server.child.kill("SIGKILL");
    await Promise.all([here.ended, there.ended]);
    [here, there] = [await startServer(dataDir, env), await startServer(dataDir, env)];
    await waitUntil(async () => (await stateOf(run)) === "done");
    expect(await getRun(flows, run)).toMatchObject({ context: { woken: true } });
    expect((await listRuns(flows, clock)).rows).toHaveLength(1);
  }, 90_000);

  test("run once for a data change in either process", async () => {
    const id = automationIds.letters;
    for (const server of [here, there])
      for (const n of numbered(3)) await call(server, "PUT", "/data/Letters", { n });
    await waitUntil(
      async () => (await listRuns(flows, id)).rows.filter(({ state }) => state === "done").length >= 6,
    );
    const triggers = await Promise.all(
      (await listRuns(flows, id)).rows.map(async (it) => (await getRun(flows, it.id)).context["trigger"]),
    );
    const objects = triggers.map(
      (it) => (it as { data: { record: { objectId: string } } }).data.record.objectId,
    );
    expect(new Set(objects).size).toBe(6);
    expect(objects).toHaveLength(6);
  }, 60_000);

  test("run once for a domain event in either process, even if the process is killed right after", async () => {
    const id = automationIds.people;
    const registered = async (server: ServerProcess, name: string) => {
      const account = { email: `${name}@example.org`, password: "seven brown hens in a row", name };
      const answer = await call(server, "POST", "/users/register", account);
      expect(answer).toMatchObject({ objectId: expect.any(String) });
      return String(answer["objectId"]);
    };
    const [ana, bo, cleo] = [
      await registered(here, "ana"),
      await registered(there, "bo"),
      await registered(here, "cleo"),
    ];
    const confirm = async (server: ServerProcess, person: string) =>
      expect(
        await call(server, "PUT", `/users/${person}/status`, { userStatus: "ENABLED" }),
      ).not.toHaveProperty("code");
    await Promise.all([confirm(here, ana), confirm(there, bo)]);
    await confirm(here, cleo);
    here.child.kill("SIGKILL");
    await here.ended;
    const states = async () => (await listRuns(flows, id)).rows.map(({ state, fault }) => fault ?? state);
    await expect.poll(states, { timeout: 60_000 }).toEqual(["done", "done", "done"]);
    here = await startServer(dataDir, env);
    const welcomes = await withTable(tables, "Welcomes", (table) =>
      findRecords(tables, HOUSE, table, { pageSize: 100 }),
    );
    expect(welcomes.map(({ person }) => person).toSorted()).toEqual([ana, bo, cleo].toSorted());
    expect((await listRuns(flows, id)).rows).toHaveLength(3);
  }, 90_000);
});
