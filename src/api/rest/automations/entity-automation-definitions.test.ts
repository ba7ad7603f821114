import { describe, expect, test } from "vitest";
import {
  changeAutomation,
  checkDefinition,
  getAutomation,
  createAutomation,
  createAutomationContext,
} from "#baas/automations";
import { createDataTableStore } from "#baas/data";
import { run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { createEntityEvents } from "../index.ts";
import {
  database,
  testApi,
  listenToTable,
  createTestAutomation,
  tableTrigger,
} from "../../../../test/support/rest/entity-automations.ts";
import { SERVER } from "../../../../test/support/rest/rest-server.ts";

/** Errors of a trigger, by path. */
async function faultsOf(trigger: object, flows = testApi.app.flows): Promise<Record<string, string>> {
  try {
    await checkDefinition(flows, { triggers: [trigger] });
  } catch (error) {
    if (error instanceof Refusal) return error.fields;
    throw error;
  }
  return {};
}

describe("automation definition", () => {
  test.each(["Users", "Groups", "Discussions", "Posts", "Resources", "Comments"])(
    "may be triggered by changes of %s",
    async (table) => {
      expect(await faultsOf(tableTrigger(table, { events: ["created", "updated", "deleted"] }))).toEqual({});
    },
  );

  test("may be triggered by what happens to events in calendars", async () => {
    const events = ["created", "updated", "cancelled", "answered", "tomorrow", "soon"];
    expect(await faultsOf(tableTrigger("Events", { events }))).toEqual({});
    expect(await faultsOf(tableTrigger("Events", { events: ["deleted"] }))).toHaveProperty([
      "triggers.0.events.0",
    ]);
    expect(await faultsOf(tableTrigger("Posts", { events: ["soon"] }))).toHaveProperty([
      "triggers.0.events.0",
    ]);
  });

  test.each([
    "Messages",
    "Conversations",
    "Participants",
    "Friendships",
    "Blocks",
    "Bookmarks",
    "Notifications",
    "Memberships",
    "Reactions",
    "Collections",
  ])("refuses %s as trigger and lists the allowed ones", async (table) => {
    expect(await faultsOf(tableTrigger(table))).toEqual({
      "triggers.0.table":
        `Changes in '${table}' cannot start an automation. Use one of these community tables: Users, ` +
        `Groups, ` +
        `Discussions, Posts, Events, Resources, Comments.`,
    });
    await expect(createTestAutomation({ triggers: [tableTrigger(table)] })).rejects.toMatchObject({
      reason: "invalid",
      kind: "bad-flow",
    });
  });

  test("refuses a trigger for an event that never occurs", async () => {
    expect(await faultsOf(tableTrigger("Posts", { events: ["created", "bulk-created"] }))).toEqual({
      "triggers.0.events.1": "'Posts' has no event bulk-created: use one of created, updated, deleted.",
    });
  });

  test("may name a table that does not exist yet, unless the name resembles an existing one", async () => {
    await testApi.sdk(SERVER).Data.of("Orders").save({ n: 1 });
    testApi.forget();
    expect(await faultsOf(tableTrigger("Orders", { events: ["bulk-created"] }))).toEqual({});
    expect(await faultsOf(tableTrigger("Parcels"))).toEqual({});
    expect(await faultsOf(tableTrigger("Parcels", { events: ["soon"] }))).toMatchObject({
      "triggers.0.events.0": expect.stringContaining("'Parcels' has no event soon"),
    });
    expect(await faultsOf(tableTrigger("users"))).toEqual({
      "triggers.0.table": "There is no table 'users'. Did you mean 'Users'?",
    });
    expect(await faultsOf(tableTrigger("orders"))).toEqual({
      "triggers.0.table": "There is no table 'orders'. Did you mean 'Orders'?",
    });
  });

  test("must name an existing table when the schema is static", async () => {
    const { settings, channels, logs, log } = testApi.app;
    const tables = createDataTableStore({ database, dynamicSchema: false });
    const flows = createAutomationContext({
      database,
      tables,
      entities: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    });
    expect(await faultsOf(tableTrigger("Parcels"), flows)).toEqual({
      "triggers.0.table": "There is no table 'Parcels'.",
    });
    await expect(
      createAutomation(flows, { name: "Parcels", definition: { triggers: [tableTrigger("Parcels")] } }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("still accepts edits to its other fields after its trigger's table was removed", async () => {
    const id = await listenToTable("Passing");
    const { definition } = await getAutomation(testApi.app.flows, { id });
    await run(
      database.db,
      sql`update automation_versions set definition = replace(definition, 'Passing', 'Messages')
        where flow_id = ${id}`,
    );
    const now = JSON.parse(JSON.stringify(definition).replace("Passing", "Messages")) as object;
    await changeAutomation(testApi.app.flows, id, { definition: { ...now, about: "Of old." } });
    expect((await getAutomation(testApi.app.flows, { id })).definition.about).toBe("Of old.");
    await expect(
      changeAutomation(testApi.app.flows, id, {
        definition: { ...now, triggers: [tableTrigger("Messages", { where: "seq = 1" })] },
      }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });
});
