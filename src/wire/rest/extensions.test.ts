import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addTemplate } from "#backend/mails";
import { createTable, openTables } from "#backend/tables";
import { many, one, run, sql } from "#platform/database";
import { openLog } from "#platform/log";
import { aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { beginExtensions, callDeferred, callService, openExtensions, speakerFor } from "./index.ts";
import { CLIENT, openDoor, PASSWORD, type RestDoor, SERVER } from "./rest.fixture.ts";

const database = await testDatabase();
const extensions = openExtensions({ folder: "test/extensions", log: openLog("silent"), now: () => database.clock.at, seconds: 5 });
const tables = openTables({ database, dynamicSchema: true, hooks: extensions.hooks });
let door: RestDoor;
beforeAll(async () => {
  door = await openDoor(database, { extensions, tables });
  await beginExtensions(door.house);
});
afterAll(async () => {
  await door.close();
  await extensions.close();
});
beforeEach(() => door.forget());

const KEYS = `/0123456789ABCDEF0123456789ABCDEF01234567/${CLIENT}`;
const fault = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    ({ code, message, status }: { code: number; message: string; status: number }) => ({ code, message, status }),
  );

/** Somebody with a session of a program, and the client as it is published that speaks as them. */
async function speaking(username: string) {
  const id = await door.member(username);
  const from = { address: "203.0.113.7", userAgent: "a test", acceptLanguage: "en" };
  const signedIn = await door.house.accounts.signIn({ login: username, password: PASSWORD }, from, "wire");
  if (signedIn.kind !== "signed-in") throw new Error(`${username} could not sign in`);
  const sdk = door.sdk();
  sdk.LocalCache.set("user-token", signedIn.session.token);
  return { id, token: signedIn.session.token, sdk };
}

type Job = { id: string; payload: Record<string, unknown>; priority: number };
const jobs = () =>
  many(
    database.db,
    sql<Job>`select j.id, j.payload, j.priority from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'extension-call' order by j.id`,
  );

describe("a service of an extension, by the client as it is published", () => {
  test("is called as whoever calls, and answers what it gives", async () => {
    expect(extensions.status.faults).toEqual([]);
    const bram = await speaking("bram");
    const said = await bram.sdk.CustomServices.invoke("Greetings", "hello", { name: "Ines" });
    expect(said).toEqual({ said: "Hello Ines!", by: bram.id, roles: expect.arrayContaining(["AuthenticatedUser", "JSUser"]) as string[] });
    expect(await door.sdk().CustomServices.invoke("Greetings", "hello", { name: "Ines" })).toMatchObject({ by: null });
    expect(await door.sdk(SERVER).CustomServices.invoke("Greetings", "server", undefined as never)).toBe(true);
    expect(await door.sdk().CustomServices.invoke("Greetings", "echo", "a text" as never)).toBe("a text");
    expect(await door.sdk().CustomServices.invoke("Greetings", "echo", [1, { a: null }] as never)).toEqual([1, { a: null }]);
    expect(await door.sdk().CustomServices.invoke("Greetings", "echo")).toEqual({});
  });

  test("refuses in its own words and with its own number; what it does not take is refused by field", async () => {
    const sdk = door.sdk();
    const invoke = (method: string, args: unknown) => fault(sdk.CustomServices.invoke("Greetings", method, args as object));
    expect(await invoke("refuse", { code: 4711 })).toEqual({ code: 4711, status: 400, message: "The tea is cold." });
    expect(await invoke("hello", { name: "" })).toEqual({ code: 422, status: 422, message: "name: Say who." });
    expect(await invoke("throwing", {})).toEqual({ code: 15000, status: 400, message: "thrown" });
    expect(await invoke("sing", {})).toMatchObject({ code: 404, message: "The service 'Greetings' has no method 'sing'." });
    await createTable(tables, { name: "Safe" });
    expect(await invoke("secret", {})).toMatchObject({ code: 1011 });
    expect(await door.call("POST", `${KEYS}/services/Greetings/refuse`, {})).toMatchObject({
      body: { code: 15000, message: "The tea is cold.", errorData: { degrees: 20 } },
    });
    const odd = { "bl-execution-type": "whenever" };
    expect(await door.call("POST", `${KEYS}/services/Greetings/hello`, { name: "I" }, odd)).toMatchObject({ status: 422 });
  });

  test("reaches tables, counters, the cache, hives and the community's own verbs, with its caller's rights", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    const bram = await speaking("bram");
    await door.sdk(SERVER).Hive("house").create();
    const reached = await bram.sdk.CustomServices.invoke("Greetings", "reach", { groupId: group.id });
    expect(reached).toEqual({
      owner: bram.id,
      asServer: null,
      found: 2,
      counted: [3, 3],
      cached: { a: 1 },
      hive: ["value", 1],
      said: "Hello Ada!",
      joined: null,
    });
    const state = sql<{ state: string }>`select state from memberships where group_id = ${group.id} and person_id = ${bram.id}`;
    expect(await one(database.db, state)).toEqual({ state: "member" });
    expect(await fault(door.sdk().CustomServices.invoke("Greetings", "reach", { groupId: group.id }))).toMatchObject({ code: 401 });
  });

  test("says something on channels, now and later, where its caller may", async () => {
    const heard: unknown[] = [];
    const hear = (published: unknown) => void heard.push(published);
    door.house.channels.listeners.add(hear);
    const bram = await speaking("bram");
    const messageId = await bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "garden" });
    expect(heard).toMatchObject([{ channel: "garden", message: { messageId, message: { to: "all" }, headers: { loud: "1" } } }]);
    const waiting = await bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "garden", later: true });
    expect(await bram.sdk.Messaging.getMessageStatus(waiting as string)).toMatchObject({ status: "scheduled" });
    expect(await fault(bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "a/b" }))).toMatchObject({ code: 422 });
    await door.set({ whoPublishes: "servers" });
    expect(await fault(bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "garden" }))).toMatchObject({ code: 403 });
    expect(heard).toHaveLength(1);
    door.house.channels.listeners.delete(hear);
  });

  test("sends mail, where its caller may or as the server", async () => {
    const bram = await speaking("bram");
    const write = (mail: object, asServer = false) => bram.sdk.CustomServices.invoke("Greetings", "write", { mail, asServer });
    const mail = { to: ["ines@example.org"], subject: "Beans", text: "They are ripe." };
    expect(await fault(write(mail))).toMatchObject({ code: 403 });
    const messageId = await write(mail, true);
    expect(await door.sdk(SERVER).Messaging.getMessageStatus(messageId as string)).toMatchObject({ status: "scheduled" });
    await addTemplate(door.house.mails, { name: "Ripe", subject: "{what}", text: "{what} are ripe.", html: "" });
    await write({ bcc: ["bram@example.org"], template: "Ripe", values: { what: "Peas" } }, true);
    expect(await many(database.db, sql`select recipient, subject from mails where kind = 'program' order by recipient`)).toEqual([
      { recipient: "bram@example.org", subject: "Peas" },
      { recipient: "ines@example.org", subject: "Beans" },
    ]);
    for (const wrong of [
      { ...mail, to: [] },
      { ...mail, to: ["x"] },
      { ...mail, template: "Ripe" },
      { to: mail.to },
      { ...mail, from: "me" },
    ])
      expect(await fault(write(wrong, true))).toMatchObject({ code: 422 });
    expect(await fault(write({ to: mail.to, template: "Unripe" }, true))).toMatchObject({ code: 24002 });
    await door.set({ mailsPerHour: 2 });
    expect(await fault(write(mail, true))).toMatchObject({ code: 429 });
  });

  test.each([
    ["async", 0],
    ["async-low-priority", 10],
  ] as const)("is done after the answer when it is asked for as %s, as whoever asked", async (how, priority) => {
    const bram = await speaking("bram");
    expect(await bram.sdk.CustomServices.invoke("Greetings", "note", { text: how }, how as never)).toBeNull();
    expect(await bram.sdk.Events.dispatch("tea", { cups: 2 }, how as never)).toBeNull();
    const due = await jobs();
    expect(due.map((job) => job.priority)).toEqual([priority, priority]);
    for (const { payload } of due) await callDeferred(door.house, payload);
    const notes = await bram.sdk.Data.of("Note").find<{ text: string; ownerId: string }>();
    expect(notes.map(({ text, ownerId }) => ({ text, ownerId }))).toEqual([{ text: how, ownerId: bram.id }]);

    // Somebody who is gone by then has asked for nothing.
    await run(database.db, sql`update people set state = 'suspended' where id = ${bram.id}`);
    await callDeferred(door.house, due[0]!.payload);
    expect(
      await bram.sdk.Data.of("Note")
        .getObjectCount()
        .catch(() => 1),
    ).toBe(1);
  });

  test("is called by the house for somebody, by its name", async () => {
    const id = await door.member("bram");
    const speaker = (await speakerFor(door.house, id, "client"))!;
    const call = { service: "Greetings", method: "hello", input: { name: "Ada" } };
    expect(await callService(door.house, call, speaker)).toMatchObject({ said: "Hello Ada!", by: id });
    expect(await speakerFor(door.house, "01900000-0000-7000-8000-000000000000", "client")).toBeNull();
    expect(await callService(door.house, call, (await speakerFor(door.house, null, "server"))!)).toMatchObject({ by: null });
  });

  test("leaves everybody else be, whatever it does", async () => {
    const sdk = door.sdk();
    const looping = fault(sdk.CustomServices.invoke("Greetings", "loop", {}));
    await door.sdk(SERVER).Data.of("Other").save({ text: "meanwhile" });
    expect(await looping).toMatchObject({ code: 15001, status: 503 });
    expect(await sdk.CustomServices.invoke("Greetings", "echo", { a: 1 })).toEqual({ a: 1 });
    expect(extensions.status.mishaps[0]).toMatchObject({ part: "service:Greetings/loop" });
  });
});

describe("an event of an extension", () => {
  test("is dispatched in every form that the client has", async () => {
    const { sdk } = await speaking("bram");
    expect(await sdk.Events.dispatch("tea", { cups: 2 })).toEqual({ cups: 4 });
    expect(await sdk.Events.dispatch("tea", { cups: 2 }, "sync" as never)).toEqual({ cups: 4 });
    expect(await sdk.Events.dispatch("rain")).toEqual({});
    expect(await sdk.Events.dispatch("rain", "sync" as never)).toEqual({});
    expect(await fault(sdk.Events.dispatch("tea", { cups: "many" }))).toMatchObject({
      code: 422,
      message: expect.stringMatching(/^cups: /) as string,
    });
    const unknown = "Custom event handler with name 'coffee' does not exists";
    expect(await fault(sdk.Events.dispatch("coffee", {}))).toEqual({ code: 15006, status: 400, message: unknown });
    expect(await fault(sdk.Events.dispatch("coffee", {}, "async" as never))).toMatchObject({ message: unknown });
  });
});

describe("hooks of a table", () => {
  const plants = () => door.sdk(SERVER).Data.of("Plant");
  const logged = async () => {
    const found = await door
      .sdk(SERVER)
      .Data.of("Told")
      .find<{ text: string }>(door.sdk().DataQueryBuilder.create().setSortBy("created").setPageSize(100));
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

  test("change what is stored and refuse what may not be, whichever way it comes", async () => {
    const { UnitOfWork } = door.sdk(SERVER);
    const one = await plants().save({ name: " rose " });
    const id = String((one as Record<string, unknown>)["objectId"]);
    expect(one).toMatchObject({ name: "rose" });
    expect(await plants().save({ objectId: id, name: " briar " })).toMatchObject({ objectId: id, name: "briar" });
    expect(await plants().save({ objectId: "own", name: " elm " }, true)).toMatchObject({ objectId: "own", name: "elm" });
    expect(await plants().deepSave({ name: " oak " })).toMatchObject({ name: "oak" });
    await plants().bulkCreate(Array.from({ length: 250 }, (_, at) => ({ name: ` ${at} `, size: 1 })) as never);
    await plants().bulkUpsert([
      { objectId: "own", name: " ash " },
      { objectId: "new", name: " fir " },
    ] as never);
    await plants().bulkUpdate("size = 1", { name: " many " });
    const unit = new UnitOfWork();
    const made = unit.create("Plant", { name: " yew " } as never);
    unit.update(made, { name: " yew tree " } as never);
    unit.bulkCreate("Plant", [{ name: " box " }] as never);
    expect(await unit.execute()).toMatchObject({ success: true });
    const names = await plants().find<{ name: string }>(
      door.sdk().DataQueryBuilder.create().setProperties(["name"]).setDistinct(true).setSortBy("name").setPageSize(100),
    );
    expect(names.map(({ name }) => name)).toEqual(["ash", "box", "briar", "fir", "many", "oak", "yew tree"]);

    const weed = { code: 1234, message: "No weeds." };
    expect(await fault(plants().save({ name: "weed" }))).toMatchObject(weed);
    expect(await fault(plants().save({ objectId: id, name: "weed" }))).toMatchObject(weed);
    expect(await fault(plants().bulkCreate([{ name: "a" }, { name: "weed" }] as never))).toMatchObject(weed);
    expect(await fault(plants().bulkUpdate("size = 1", { name: "weed" }))).toMatchObject(weed);
    expect(await fault(plants().bulkUpsert([{ objectId: "own", name: "weed" }] as never))).toMatchObject(weed);
    expect(await fault(plants().remove("own"))).toMatchObject({ message: "Nothing is taken away here." });
    expect(await fault(plants().bulkDelete("size = 1"))).toMatchObject({ message: "Nothing is taken away here." });
    const refused = new UnitOfWork();
    refused.create("Plant", { name: "fine" } as never);
    refused.create("Plant", { name: "weed" } as never);
    expect(await refused.execute()).toMatchObject({ success: false, error: weed });
    expect(await plants().getObjectCount("name = 'fine' or name = 'a' or name = 'weed'")).toBe(0);
  });

  test("see what came of it, and can narrow what is asked for", async () => {
    await plants().save({ name: "small", size: 1 });
    await plants().save({ name: "large", size: 100 });
    expect(await plants().find()).toMatchObject([{ name: "large" }]);
    expect(await plants().findFirst()).toMatchObject({ name: "large" });
    await expect.poll(logged).toEqual(["created small", "created large"]);
    await plants().bulkUpdate("size = 1", { size: 2 });
    await expect.poll(logged).toEqual(["created small", "created large", "updated 1 where size = 1"]);
  });

  test("that fail afterwards undo nothing", async () => {
    expect(await plants().save({ name: "fails after" })).toMatchObject({ name: "fails after" });
    await expect.poll(() => extensions.status.mishaps[0]?.sentence).toBe("after all");
    expect(await plants().getObjectCount("name = 'fails after'")).toBe(1);
  });

  test("of what a call did not wait for let go of their connection when it is over", async () => {
    const { pool } = database;
    expect(await door.sdk(SERVER).CustomServices.invoke("Greetings", "hasty", {})).toBe(1);
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect(await plants().getObjectCount("name = 'hasty'")).toBe(0);
  });

  test("are told of many large records by the share", async () => {
    const large = Array.from({ length: 30 }, (_, at) => ({ name: ` large ${at} `, text: "x".repeat(60_000) }));
    await createTable(tables, {
      name: "Page",
      columns: [
        { name: "name", dataType: "STRING" },
        { name: "text", dataType: "TEXT" },
      ],
    });
    expect(await door.sdk(SERVER).Data.of("Page").bulkCreate(large)).toHaveLength(30);
    expect(await door.sdk(SERVER).Data.of("Page").getObjectCount("name like 'large %'")).toBe(30);
  });

  test("that write to the table themselves are bounded", async () => {
    await createTable(tables, { name: "Deep", columns: [{ name: "n", dataType: "INT" }] });
    expect(await fault(door.sdk(SERVER).Data.of("Deep").save({ n: 0 }))).toMatchObject({ code: 15005 });
  });

  test("in many transactions at once keep none of them waiting for a connection", async () => {
    const { UnitOfWork } = door.sdk(SERVER);
    const units = Array.from({ length: 24 }, (_, at) => {
      const unit = new UnitOfWork();
      unit.create("Plant", { name: `asks ${at}` } as never);
      return unit.execute();
    });
    expect((await Promise.all(units)).every((it) => it.isSuccess())).toBe(true);
  });
});
