import { describe, expect, test } from "vitest";
import { changeFlow, definitionFor, flowBy, makeFlow, openFlows } from "#backend/flows";
import { openTables } from "#backend/tables";
import { run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { heardNouns } from "./index.ts";
import { database, door, listening, made, on } from "./noun-flows.fixture.ts";
import { SERVER } from "./rest.fixture.ts";

/** Faults of a trigger, by path. */
async function faultsOf(trigger: object, flows = door.house.flows): Promise<Record<string, string>> {
  try {
    await definitionFor(flows, { triggers: [trigger] });
  } catch (error) {
    if (error instanceof Refusal) return error.fields;
    throw error;
  }
  return {};
}

describe("automation definition", () => {
  test.each(["Users", "Groups", "Discussions", "Posts", "Resources", "Comments"])("may be triggered by changes of %s", async (table) => {
    expect(await faultsOf(on(table, { events: ["created", "updated", "deleted"] }))).toEqual({});
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
    expect(await faultsOf(on(table))).toEqual({
      "triggers.0.table": `What happens in '${table}' starts no flow. Of the community, these tables do: Users, Groups, Discussions, Posts, Resources, Comments.`,
    });
    await expect(made({ triggers: [on(table)] })).rejects.toMatchObject({ reason: "invalid", kind: "bad-flow" });
  });

  test("refuses to wait for an event that never occurs", async () => {
    expect(await faultsOf(on("Posts", { events: ["created", "bulk-created"] }))).toEqual({
      "triggers.0.events.1": "In 'Posts' nothing is ever bulk-created: this is one of created, updated, deleted.",
    });
  });

  test("may name a table that does not exist yet, but not a near miss of an existing one", async () => {
    await door.sdk(SERVER).Data.of("Orders").save({ n: 1 });
    door.forget();
    expect(await faultsOf(on("Orders", { events: ["bulk-created"] }))).toEqual({});
    expect(await faultsOf(on("Parcels"))).toEqual({});
    expect(await faultsOf(on("users"))).toEqual({ "triggers.0.table": "There is no table 'users' here, but there is 'Users'." });
    expect(await faultsOf(on("orders"))).toEqual({ "triggers.0.table": "There is no table 'orders' here, but there is 'Orders'." });
  });

  test("must name an existing table when the schema is static", async () => {
    const { settings, channels, logs, log } = door.house;
    const tables = openTables({ database, dynamicSchema: false });
    const flows = openFlows({ database, tables, nouns: heardNouns({ database, tables, settings }), channels, logs, log });
    expect(await faultsOf(on("Parcels"), flows)).toEqual({ "triggers.0.table": "There is no table 'Parcels' here." });
    await expect(makeFlow(flows, { name: "Parcels", definition: { triggers: [on("Parcels")] } })).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("can be changed in other parts after its table is gone", async () => {
    const id = await listening("Passing");
    const { definition } = await flowBy(door.house.flows, { id });
    await run(database.db, sql`update flow_versions set definition = replace(definition, 'Passing', 'Messages') where flow_id = ${id}`);
    const now = JSON.parse(JSON.stringify(definition).replace("Passing", "Messages")) as object;
    await changeFlow(door.house.flows, id, { definition: { ...now, about: "Of old." } });
    expect((await flowBy(door.house.flows, { id })).definition.about).toBe("Of old.");
    await expect(
      changeFlow(door.house.flows, id, { definition: { ...now, triggers: [on("Messages", { where: "seq = 1" })] } }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });
});
