import { describe, expect, test } from "vitest";
import { createEmailTemplate } from "#baas/email";
import { createTable } from "#baas/data";
import { many, one, run, sql } from "#platform/database";
import { createTestGroup, createTestUsers } from "../../../../test/support/test-users.ts";
import { anonymousCaller } from "../rest-caller.ts";
import { runDeferredCall, callService, findCallOrigin } from "./extension-calls.ts";
import { SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  database,
  extensions,
  tables,
  testApi,
  CLIENT_PATH,
  getCallOutcome,
  signInTestPerson,
  listQueuedJobs,
} from "../../../../test/support/rest/extension-api.ts";

describe("extension service with the published client", () => {
  test("runs as the caller and returns its result", async () => {
    expect(extensions.status.faults).toEqual([]);
    const bram = await signInTestPerson("bram");
    const result = await bram.sdk.CustomServices.invoke("Greetings", "hello", { name: "Ines" });
    expect(result).toEqual({
      said: "Hello Ines!",
      by: bram.id,
      roles: expect.arrayContaining(["AuthenticatedUser", "JSUser"]) as string[],
    });
    expect(await testApi.sdk().CustomServices.invoke("Greetings", "hello", { name: "Ines" })).toMatchObject({
      by: null,
    });
    expect(await testApi.sdk(SERVER).CustomServices.invoke("Greetings", "server", undefined as never)).toBe(
      true,
    );
    expect(await testApi.sdk().CustomServices.invoke("Greetings", "echo", "a text" as never)).toBe("a text");
    expect(await testApi.sdk().CustomServices.invoke("Greetings", "echo", [1, { a: null }] as never)).toEqual(
      [1, { a: null }],
    );
    expect(await testApi.sdk().CustomServices.invoke("Greetings", "echo")).toEqual({});
  });

  test("refuses with its own message and code, and names fields with invalid input", async () => {
    const sdk = testApi.sdk();
    const invoke = (method: string, args: unknown) =>
      getCallOutcome(sdk.CustomServices.invoke("Greetings", method, args as object));
    expect(await invoke("refuse", { code: 4711 })).toEqual({
      code: 4711,
      status: 400,
      message: "The tea is cold.",
    });
    expect(await invoke("hello", { name: "" })).toEqual({
      code: 422,
      status: 422,
      message: "name: Say who.",
    });
    expect(await invoke("throwing", {})).toEqual({ code: 15000, status: 400, message: "thrown" });
    expect(await invoke("sing", {})).toMatchObject({
      code: 404,
      message: "The service 'Greetings' has no method 'sing'.",
    });
    await createTable(tables, { name: "Safe" });
    expect(await invoke("secret", {})).toMatchObject({ code: 1011 });
    expect(await testApi.call("POST", `${CLIENT_PATH}/services/Greetings/refuse`, {})).toMatchObject({
      body: { code: 15000, message: "The tea is cold.", errorData: { degrees: 20 } },
    });
    const odd = { "bl-execution-type": "whenever" };
    expect(
      await testApi.call("POST", `${CLIENT_PATH}/services/Greetings/hello`, { name: "I" }, odd),
    ).toMatchObject({ status: 422 });
  });

  test("uses tables, counters, cache, hives and commands with the caller's rights", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const bram = await signInTestPerson("bram");
    await testApi.sdk(SERVER).Hive("house").create();
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
    const state = sql<{
      state: string;
    }>`select state from memberships where group_id = ${group.id} and person_id = ${bram.id}`;
    expect(await one(database.db, state)).toEqual({ state: "member" });
    expect(
      await getCallOutcome(testApi.sdk().CustomServices.invoke("Greetings", "reach", { groupId: group.id })),
    ).toMatchObject({ code: 401 });
  });

  test("passes on the cause of a call, even with the server's rights", async () => {
    const by = { caller: anonymousCaller("server"), cause: "a run" };
    for (const asServer of [false, true])
      await callService(
        testApi.app,
        { service: "Greetings", method: "note", input: { text: "a", asServer } },
        by,
      );
    const causes = sql<{
      cause: string;
    }>`select payload ->> 'cause' as cause from outbox where type = 'record.created'`;
    expect(await many(database.db, causes)).toEqual([{ cause: "a run" }, { cause: "a run" }]);
  });

  test("publishes on channels if the caller may", async () => {
    const messages: unknown[] = [];
    const listener = (published: unknown) => void messages.push(published);
    testApi.app.channels.listeners.add(listener);
    const bram = await signInTestPerson("bram");
    const messageId = await bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "garden" });
    expect(messages).toMatchObject([
      { channel: "garden", message: { messageId, message: { to: "all" }, headers: { loud: "1" } } },
    ]);
    const waiting = await bram.sdk.CustomServices.invoke("Greetings", "call", {
      channel: "garden",
      later: true,
    });
    expect(await bram.sdk.Messaging.getMessageStatus(waiting as string)).toMatchObject({
      status: "scheduled",
    });
    expect(
      await getCallOutcome(bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "a/b" })),
    ).toMatchObject({ code: 422 });
    await testApi.set({ whoPublishes: "servers" });
    expect(
      await getCallOutcome(bram.sdk.CustomServices.invoke("Greetings", "call", { channel: "garden" })),
    ).toMatchObject({ code: 403 });
    expect(messages).toHaveLength(1);
    testApi.app.channels.listeners.delete(listener);
  });

  test("sends mail if the caller may, or as the server", async () => {
    const bram = await signInTestPerson("bram");
    const write = (mail: object, asServer = false) =>
      bram.sdk.CustomServices.invoke("Greetings", "write", { mail, asServer });
    const mail = { to: ["ines@example.org"], subject: "Beans", text: "They are ripe." };
    expect(await getCallOutcome(write(mail))).toMatchObject({ code: 403 });
    const messageId = await write(mail, true);
    expect(await testApi.sdk(SERVER).Messaging.getMessageStatus(messageId as string)).toMatchObject({
      status: "scheduled",
    });
    await createEmailTemplate(testApi.app.mails, {
      name: "Ripe",
      subject: "{what}",
      text: "{what} are ripe.",
      html: "",
    });
    await write({ bcc: ["bram@example.org"], template: "Ripe", values: { what: "Peas" } }, true);
    expect(
      await many(
        database.db,
        sql`select recipient, subject from mails where kind = 'program' order by recipient`,
      ),
    ).toEqual([
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
      expect(await getCallOutcome(write(wrong, true))).toMatchObject({ code: 422 });
    expect(await getCallOutcome(write({ to: mail.to, template: "Unripe" }, true))).toMatchObject({
      code: 24002,
    });
    await testApi.set({ mailsPerHour: 2 });
    expect(await getCallOutcome(write(mail, true))).toMatchObject({ code: 429 });
  });

  test.each([
    ["async", 0],
    ["async-low-priority", 10],
  ] as const)("runs as the caller after the response in mode %s", async (how, priority) => {
    const bram = await signInTestPerson("bram");
    expect(await bram.sdk.CustomServices.invoke("Greetings", "note", { text: how }, how as never)).toBeNull();
    expect(await bram.sdk.Events.dispatch("tea", { cups: 2 }, how as never)).toBeNull();
    const due = await listQueuedJobs();
    expect(due.map((job) => job.priority)).toEqual([priority, priority]);
    for (const { payload } of due) await runDeferredCall(testApi.app, payload);
    const notes = await bram.sdk.Data.of("Note").find<{ text: string; ownerId: string }>();
    expect(notes.map(({ text, ownerId }) => ({ text, ownerId }))).toEqual([{ text: how, ownerId: bram.id }]);

    // The deferred call of a person who has been suspended meanwhile does not run.
    await run(database.db, sql`update people set state = 'suspended' where id = ${bram.id}`);
    await runDeferredCall(testApi.app, due[0]!.payload);
    expect(
      await bram.sdk.Data.of("Note")
        .getObjectCount()
        .catch(() => 1),
    ).toBe(1);
  });

  test("can be called by name on behalf of a person", async () => {
    const id = await testApi.member("bram");
    const speaker = (await findCallOrigin(testApi.app, id, "client"))!;
    const call = { service: "Greetings", method: "hello", input: { name: "Ada" } };
    expect(await callService(testApi.app, call, speaker)).toMatchObject({ said: "Hello Ada!", by: id });
    expect(await findCallOrigin(testApi.app, "01900000-0000-7000-8000-000000000000", "client")).toBeNull();
    expect(
      await callService(testApi.app, call, (await findCallOrigin(testApi.app, null, "server"))!),
    ).toMatchObject({ by: null });
  });

  test("does not affect other callers when it loops endlessly", async () => {
    const sdk = testApi.sdk();
    const looping = getCallOutcome(sdk.CustomServices.invoke("Greetings", "loop", {}));
    await testApi.sdk(SERVER).Data.of("Other").save({ text: "meanwhile" });
    expect(await looping).toMatchObject({ code: 15001, status: 503 });
    expect(await sdk.CustomServices.invoke("Greetings", "echo", { a: 1 })).toEqual({ a: 1 });
    expect(extensions.status.mishaps[0]).toMatchObject({ part: "service:Greetings/loop" });
  });
});
