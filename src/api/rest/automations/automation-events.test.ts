import { describe, expect, test } from "vitest";
import { toEnglish } from "#platform/messages";
import { triggerAutomations, listenToMessages, getRun } from "#baas/automations";
import { listLogLines } from "#baas/logging";
import { one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  database,
  testApi,
  stepRunner,
  deliverEvents,
  createTestAutomation,
  signInPerson,
  automationsClient,
  listRunRows,
  listTableRows,
} from "../../../../test/support/rest/automation-api.ts";

describe("automations started by events", () => {
  test("start once per table change that matches their trigger", async () => {
    const step = { kind: "set", as: "seen", value: "{{trigger.data.event}} {{trigger.data.record.name}}" };
    const on = (events: string[], where?: string) => ({
      triggers: [{ kind: "table", name: "t", table: "Order", events, ...(where && { where }) }],
      steps: [step],
    });
    const created = await createTestAutomation("created", on(["created"]));
    const big = await createTestAutomation("big", on(["created", "updated"], "total > 100"));
    const deleted = await createTestAutomation("deleted", on(["deleted"]));
    const bulk = await createTestAutomation("bulk", on(["bulk-created", "bulk-deleted"]));
    const orders = testApi.sdk(SERVER).Data.of("Order");
    const small = (await orders.save({ name: "small", total: 5 })) as unknown as { objectId: string };
    await orders.save({ name: "large", total: 500 });
    await deliverEvents();
    await orders.save({ objectId: small.objectId, total: 101 });
    await orders.remove(small.objectId);
    const ids = await orders.bulkCreate([
      { name: "a", total: 200 },
      { name: "b", total: 200 },
    ]);
    await orders.bulkDelete("total = 200");
    await deliverEvents();
    await stepRunner();
    const seen = async (id: string) =>
      (
        await Promise.all(
          (await listRunRows(id)).map(async (it) => (await getRun(testApi.app.flows, it.id)).context["seen"]),
        )
      ).toReversed();
    expect(await seen(created)).toEqual(["created small", "created large"]);
    expect(await seen(big)).toEqual(["created large"]);
    expect(await seen(deleted)).toEqual(["deleted small"]);
    const many = (
      await Promise.all(
        (await listRunRows(bulk)).map(
          async (it) => (await getRun(testApi.app.flows, it.id)).context["trigger"],
        ),
      )
    ).toReversed();
    expect(many).toMatchObject([
      { data: { event: "bulk-created", table: "Order" } },
      { data: { event: "bulk-deleted", count: 2 } },
    ]);
    expect(JSON.stringify(many[0])).toContain(ids[0]);
    // The event is delivered twice, since the dispatcher may crash and restart.
    const { id, payload } = await one(
      database.db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`select id, payload from outbox where type = 'record.created' limit 1`,
    );
    await triggerAutomations(testApi.app.flows, payload, id);
    expect(await listRunRows(created)).toHaveLength(2);
  });

  test("stop after several runs when they trigger themselves", async () => {
    const table = await createTestAutomation("fed", {
      triggers: [{ kind: "table", name: "t", table: "Fed", events: ["created"] }],
      steps: [{ kind: "record", act: "create", table: "Fed", values: { from: "{{execution.id}}" } }],
    });
    const channel = await createTestAutomation("echo", {
      triggers: [{ kind: "channel", name: "c", channel: "echo" }],
      steps: [{ kind: "message", channel: "echo", message: { heard: "{{trigger.data.message}}" } }],
    });
    const deafen = listenToMessages(testApi.app.flows);
    await testApi.sdk(SERVER).Data.of("Fed").save({ from: "outside" });
    await testApi.sdk(SERVER).Messaging.publish("echo", "Hello");
    await expect.poll(async () => (await listRunRows(channel)).length).toBe(1);
    for (let n = 0; n < 10; n++) {
      await deliverEvents();
      await stepRunner();
    }
    await expect.poll(async () => (await stepRunner(), (await listRunRows(channel)).length)).toBe(6);
    deafen();
    expect(await listRunRows(table)).toHaveLength(6);
    // One record from outside, and one from each run.
    expect(await listTableRows("Fed")).toHaveLength(7);
  });

  test("start for a channel message whose headers match", async () => {
    const id = await createTestAutomation("heard", {
      triggers: [{ kind: "channel", name: "c", channel: "garden", selector: "age > 30" }],
    });
    const deafen = listenToMessages(testApi.app.flows);
    const publish = (age: number) =>
      testApi.call("POST", `/0123456789ABCDEF0123456789ABCDEF01234567/${SERVER}/messaging/garden`, {
        message: "Hello",
        headers: { age },
      });
    await publish(20);
    await publish(40);
    await expect.poll(async () => (await listRunRows(id)).length).toBe(1);
    deafen();
    expect(await getRun(testApi.app.flows, (await listRunRows(id))[0]!.id)).toMatchObject({
      context: {
        trigger: { kind: "channel", data: { channel: "garden", message: "Hello", headers: { age: "40" } } },
      },
    });
  });

  test("report errors of a called service in the run and in the automation log", async () => {
    const ines = await signInPerson("ines");
    await createTestAutomation("groups", {
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
    const { executionId } = await automationsClient(ines.sdk).activateFlow("groups", { how: "wide open" });
    await stepRunner();
    const run = await getRun(testApi.app.flows, executionId);
    expect(run.state).toBe("failed");
    expect(toEnglish(run.fault!)).toBe("Found it: visibility: Choose who can find and read the group.");
    await expect
      .poll(async () =>
        (await listLogLines(testApi.app.logs, { logger: "flow groups" })).lines.map(
          ({ kind, level }) => `${kind} ${level}`,
        ),
      )
      .toEqual(["automation ERROR", "automation INFO"]);
  });
});
