import { beforeEach, describe, expect, test } from "vitest";
import { createTable } from "#baas/data";
import { SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  database,
  extensions,
  tables,
  testApi,
  getCallOutcome,
  signInTestPerson,
} from "../../../../test/support/rest/extension-api.ts";

describe("custom event of an extension", () => {
  test("can be dispatched in every call form of the client", async () => {
    const { sdk } = await signInTestPerson("bram");
    expect(await sdk.Events.dispatch("tea", { cups: 2 })).toEqual({ cups: 4 });
    expect(await sdk.Events.dispatch("tea", { cups: 2 }, "sync" as never)).toEqual({ cups: 4 });
    expect(await sdk.Events.dispatch("rain")).toEqual({});
    expect(await sdk.Events.dispatch("rain", "sync" as never)).toEqual({});
    expect(await getCallOutcome(sdk.Events.dispatch("tea", { cups: "many" }))).toMatchObject({
      code: 422,
      message: expect.stringMatching(/^cups: /) as string,
    });
    const unknown = "Custom event handler with name 'coffee' does not exists";
    expect(await getCallOutcome(sdk.Events.dispatch("coffee", {}))).toEqual({
      code: 15006,
      status: 400,
      message: unknown,
    });
    expect(await getCallOutcome(sdk.Events.dispatch("coffee", {}, "async" as never))).toMatchObject({
      message: unknown,
    });
  });
});

describe("table hooks", () => {
  const plants = () => testApi.sdk(SERVER).Data.of("Plant");
  const logged = async () => {
    const found = await testApi
      .sdk(SERVER)
      .Data.of("Told")
      .find<{ text: string }>(testApi.sdk().DataQueryBuilder.create().setSortBy("created").setPageSize(100));
    return found.map(({ text }) => text);
  };
  beforeEach(async () => {
    await createTable(tables, {
      name: "Plant",
      columns: [
        { name: "name", dataType: "STRING" },
        { name: "size", dataType: "INT" },
      ],
    });
    await createTable(tables, { name: "Told", columns: [{ name: "text", dataType: "STRING" }] });
  });

  test("change or refuse values in every kind of write", async () => {
    const { UnitOfWork } = testApi.sdk(SERVER);
    const one = await plants().save({ name: " rose " });
    const id = String((one as Record<string, unknown>)["objectId"]);
    expect(one).toMatchObject({ name: "rose" });
    expect(await plants().save({ objectId: id, name: " briar " })).toMatchObject({
      objectId: id,
      name: "briar",
    });
    expect(await plants().save({ objectId: "own", name: " elm " }, true)).toMatchObject({
      objectId: "own",
      name: "elm",
    });
    expect(await plants().deepSave({ name: " oak " })).toMatchObject({ name: "oak" });
    await plants().bulkCreate(
      Array.from({ length: 250 }, (_, at) => ({ name: ` ${at} `, size: 1 })) as never,
    );
    await plants().bulkUpsert([
      { objectId: "own", name: " ash " },
      { objectId: "new", name: " fir " },
    ] as never);
    await plants().bulkUpdate("size = 1", { name: " many " });
    const unit = new UnitOfWork();
    const operation = unit.create("Plant", { name: " yew " } as never);
    unit.update(operation, { name: " yew tree " } as never);
    unit.bulkCreate("Plant", [{ name: " box " }] as never);
    expect(await unit.execute()).toMatchObject({ success: true });
    const names = await plants().find<{ name: string }>(
      testApi
        .sdk()
        .DataQueryBuilder.create()
        .setProperties(["name"])
        .setDistinct(true)
        .setSortBy("name")
        .setPageSize(100),
    );
    expect(names.map(({ name }) => name)).toEqual(["ash", "box", "briar", "fir", "many", "oak", "yew tree"]);

    const weed = { code: 1234, message: "No weeds." };
    expect(await getCallOutcome(plants().save({ name: "weed" }))).toMatchObject(weed);
    expect(await getCallOutcome(plants().save({ objectId: id, name: "weed" }))).toMatchObject(weed);
    expect(
      await getCallOutcome(plants().bulkCreate([{ name: "a" }, { name: "weed" }] as never)),
    ).toMatchObject(weed);
    expect(await getCallOutcome(plants().bulkUpdate("size = 1", { name: "weed" }))).toMatchObject(weed);
    expect(
      await getCallOutcome(plants().bulkUpsert([{ objectId: "own", name: "weed" }] as never)),
    ).toMatchObject(weed);
    expect(await getCallOutcome(plants().remove("own"))).toMatchObject({
      message: "Nothing is taken away here.",
    });
    expect(await getCallOutcome(plants().bulkDelete("size = 1"))).toMatchObject({
      message: "Nothing is taken away here.",
    });
    const refused = new UnitOfWork();
    refused.create("Plant", { name: "fine" } as never);
    refused.create("Plant", { name: "weed" } as never);
    expect(await refused.execute()).toMatchObject({ success: false, error: weed });
    expect(await plants().getObjectCount("name = 'fine' or name = 'a' or name = 'weed'")).toBe(0);
  });

  test("see the result of an operation, and can narrow a query", async () => {
    await plants().save({ name: "small", size: 1 });
    await plants().save({ name: "large", size: 100 });
    expect(await plants().find()).toMatchObject([{ name: "large" }]);
    expect(await plants().findFirst()).toMatchObject({ name: "large" });
    await expect.poll(logged).toEqual(["created small", "created large"]);
    await plants().bulkUpdate("size = 1", { size: 2 });
    await expect.poll(logged).toEqual(["created small", "created large", "updated 1 where size = 1"]);
  });

  test("do not roll back the operation when an after-hook fails", async () => {
    expect(await plants().save({ name: "fails after" })).toMatchObject({ name: "fails after" });
    await expect.poll(() => extensions.status.mishaps[0]?.sentence).toBe("after all");
    expect(await plants().getObjectCount("name = 'fails after'")).toBe(1);
  });

  test("release the connection of a background hook when it ends", async () => {
    const { pool } = database;
    expect(await testApi.sdk(SERVER).CustomServices.invoke("Greetings", "hasty", {})).toBe(1);
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect(await plants().getObjectCount("name = 'hasty'")).toBe(0);
  });

  test("receive large records in batches", async () => {
    const large = Array.from({ length: 30 }, (_, at) => ({
      name: ` large ${at} `,
      text: "x".repeat(60_000),
    }));
    await createTable(tables, {
      name: "Page",
      columns: [
        { name: "name", dataType: "STRING" },
        { name: "text", dataType: "TEXT" },
      ],
    });
    expect(await testApi.sdk(SERVER).Data.of("Page").bulkCreate(large)).toHaveLength(30);
    expect(await testApi.sdk(SERVER).Data.of("Page").getObjectCount("name like 'large %'")).toBe(30);
  });

  test("have a recursion limit when they write to their own table", async () => {
    await createTable(tables, { name: "Deep", columns: [{ name: "n", dataType: "INT" }] });
    expect(await getCallOutcome(testApi.sdk(SERVER).Data.of("Deep").save({ n: 0 }))).toMatchObject({
      code: 15005,
    });
  });

  test("do not exhaust the connections in concurrent transactions", async () => {
    const { UnitOfWork } = testApi.sdk(SERVER);
    const units = Array.from({ length: 24 }, (_, at) => {
      const unit = new UnitOfWork();
      unit.create("Plant", { name: `asks ${at}` } as never);
      return unit.execute();
    });
    expect((await Promise.all(units)).every((it) => it.isSuccess())).toBe(true);
  });
});
