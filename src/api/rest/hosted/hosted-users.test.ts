import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { APP, CLIENT, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  clientSdk,
  database,
  testApi,
  createUserInput,
  getOutcome,
  type Row,
  createClient,
  serverSdk,
  VERSIONS,
} from "../../../../test/support/rest/hosted-api.ts";

const users = (sdk = clientSdk()) =>
  sdk.Data.of("Users") as unknown as {
    save: (user: object) => Promise<Row>;
    bulkCreate: (users: object[]) => Promise<string[]>;
    bulkUpdate: (where: string, changes: object) => Promise<number>;
    find: (query?: object) => Promise<Row[]>;
    findById: (id: string) => Promise<Row>;
  };
const login = (sdk: ReturnType<typeof clientSdk>, { email, password }: { email: string; password: string }) =>
  sdk.UserService.login<Row>(email, password);

describe.each(VERSIONS)("user management with client %s", (version) => {
  test("creates users by saving them, with either key", async () => {
    for (const key of [CLIENT, SERVER]) {
      const user = createUserInput({ name: "John Lennon", band: "Beatles" });
      const saved = await users(createClient(version, key)).save(user);
      expect(saved).toMatchObject({
        ___class: "Users",
        name: "John Lennon",
        email: user.email,
        band: "Beatles",
      });
      expect(saved).not.toHaveProperty("password");
      expect(await login(createClient(version), user)).toMatchObject({
        objectId: saved.objectId,
        "user-token": expect.any(String),
      });
    }
  });

  test("creates several users in one call, all or none", async () => {
    const inputs = [
      createUserInput({ name: "Same Name" }),
      createUserInput({ name: "Same Name" }),
      createUserInput({ name: "Same Name" }),
    ];
    const ids = await users(createClient(version)).bulkCreate(inputs);
    expect(ids).toHaveLength(3);
    for (const [at, user] of inputs.entries())
      expect(await login(createClient(version), user)).toMatchObject({ objectId: ids[at] });
    const again = [createUserInput(), inputs[0]!];
    expect(await getOutcome(users(createClient(version)).bulkCreate(again))).toMatchObject({
      code: 3033,
    });
    expect(await getOutcome(login(createClient(version), again[0] as never))).toMatchObject({
      code: 3003,
    });
  });

  test("registers with any password and signs in at once", async () => {
    const sdk = createClient(version);
    const user = createUserInput({ location: "New York" });
    expect(await sdk.UserService.register(user)).toMatchObject({ email: user.email, userStatus: "ENABLED" });
    await login(sdk, user);
    const columns = (await sdk.UserService.describeUserClass()) as unknown as { name: string }[];
    expect(columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["location", "email", "created", "updated", "objectId"]),
    );
    await sdk.UserService.logout();
  });

  test("accepts the right password after any number of wrong ones, until a lock is configured", async () => {
    const sdk = createClient(version);
    const user = createUserInput();
    await sdk.UserService.register(user);
    const wrong = () => getOutcome(sdk.UserService.login(user.email, "wrong"));
    for (let n = 0; n < 8; n++) expect(await wrong()).toMatchObject({ code: 3003 });
    await login(sdk, user);
    await testApi.set({ wrongPasswordsLock: 2 });
    await wrong();
    await wrong();
    expect(await getOutcome(login(sdk, user))).toMatchObject({ code: 3036 });
  });

  test("updates another user without changing the current user", async () => {
    const sdk = createClient(version);
    const [self, other] = [createUserInput(), createUserInput()];
    await sdk.UserService.register(self);
    const neighbour = (await sdk.UserService.register(other)) as unknown as Row;
    const { objectId } = await login(sdk, self);
    expect(await sdk.UserService.update({ ...neighbour, name: "Bob", plan: "gold" })).toMatchObject({
      name: "Bob",
      plan: "gold",
    });
    expect(await sdk.UserService.getCurrentUser()).toMatchObject({ objectId });
    expect(await users(serverSdk()).findById(neighbour.objectId)).toMatchObject({
      name: "Bob",
      plan: "gold",
      email: other.email,
    });
  });
});

describe("users in a table", () => {
  test("can be found by everyone, with custom columns but without email addresses", async () => {
    await users().save(createUserInput({ name: "Paul Mccartney", plays: "bass" }));
    await users().save(createUserInput({ name: "John Lennon" }));
    const found = await users().find({ where: "name like '%Mccartney%'" });
    expect(found).toMatchObject([{ name: "Paul Mccartney", plays: "bass", email: null }]);
    expect(await users().find({ where: "plays = 'bass'" })).toHaveLength(1);
  });

  test("can be changed by other users, but not their sign-in data", async () => {
    const [self, other] = [createUserInput(), createUserInput()];
    const [mine, theirs] = [await users().save(self), await users().save(other)];
    const sdk = clientSdk();
    await login(sdk, self);
    expect(await users(sdk).save({ objectId: mine.objectId, name: "Me", plan: "gold" })).toMatchObject({
      name: "Me",
      plan: "gold",
    });
    expect(await users(sdk).save({ ...theirs, name: "You" })).toMatchObject({ name: "You" });
    for (const change of [{ password: "taken over" }, { email: "mine@com" }, { username: "mine" }])
      expect(await getOutcome(users(sdk).save({ objectId: theirs.objectId, ...change }))).toMatchObject({
        code: 403,
      });
    expect(await getOutcome(users().save({ objectId: theirs.objectId, name: "Nobody" }))).toMatchObject({
      code: 1000,
    });
    expect(await users(sdk).bulkUpdate(`objectId = '${theirs.objectId}'`, { plan: "silver" })).toBe(1);
    expect(
      await users(serverSdk()).save({ objectId: theirs.objectId, password: "changed", plan: "tin" }),
    ).toMatchObject({ plan: "tin" });
    expect(await login(clientSdk(), { ...other, password: "changed" })).toMatchObject({
      objectId: theirs.objectId,
    });
  });

  test("cannot be changed by other users if they are staff", async () => {
    const admin = await testApi.member("boss", { role: "admin" });
    const self = createUserInput();
    await users().save(self);
    const sdk = clientSdk();
    await login(sdk, self);
    const calls = [
      () => users(sdk).save({ objectId: admin, name: "Not the boss" }),
      () => sdk.UserService.update({ objectId: admin, name: "x" }),
    ];
    for (const call of calls) expect(await getOutcome(call())).toMatchObject({ code: 1000 });
  });

  test("must meet the admin's registration settings", async () => {
    await testApi.set({ registration: "closed" });
    expect(await getOutcome(users().save(createUserInput()))).toMatchObject({ code: 3009 });
    expect(await users(serverSdk()).save(createUserInput())).toMatchObject({ ___class: "Users" });
    await testApi.set({ registration: "open", passwordRules: true, registrationTries: 3 });
    expect(await getOutcome(users().save(createUserInput()))).toMatchObject({ code: 3021 });
    for (let n = 0; n < 2; n++) await users().save(createUserInput({ password: "seven brown hens" }));
    expect(await getOutcome(users().save(createUserInput({ password: "seven brown hens" })))).toMatchObject({
      code: 429,
    });
    await testApi.set({ registrationTries: 0, confirmAddress: true });
    const saved = await users().save(createUserInput({ password: "seven brown hens" }));
    expect(await many(database.db, sql`select state from people where id = ${saved.objectId}`)).toEqual([
      { state: "unverified" },
    ]);
  });

  test.each([
    ["no password", { email: "a@com" }, 3011],
    ["no email address", { password: "x" }, 3013],
    ["an invalid email address", { email: "a", password: "x" }, 3040],
    ["an invalid username", { email: "a@com", password: "x", name: "\u200b" }, 3021],
  ])("cannot be created with %s", async (_what, user, code) => {
    expect(await getOutcome(users().save(user))).toMatchObject({ code });
    expect(await getOutcome(users().bulkCreate([createUserInput(), user]))).toMatchObject({ code });
    expect(await many(database.db, sql`select from people`)).toEqual([]);
  });

  test("can be changed in transactions", async () => {
    const unit = new (
      clientSdk() as unknown as {
        UnitOfWork: new () => { create: (...all: unknown[]) => unknown; execute: () => Promise<object> };
      }
    ).UnitOfWork();
    unit.create("Users", createUserInput({ name: "George" }));
    expect(await unit.execute()).toMatchObject({ success: true });
    expect(await users().find({ where: "name = 'George'" })).toHaveLength(1);
  });
});

describe("users without the hosted-service defaults", () => {
  test("cannot be saved; the refusal names the setting that allows it", async () => {
    await testApi.set({ apiDefaults: "careful" });
    testApi.forget();
    const allows = { message: expect.stringContaining("KITH_API_DEFAULTS=hosted allows this call.") };
    for (const key of [CLIENT, SERVER]) {
      expect(await getOutcome(users(createClient("8", key)).save(createUserInput()))).toMatchObject(allows);
      expect(await getOutcome(users(createClient("8", key)).bulkCreate([createUserInput()]))).toMatchObject(
        allows,
      );
    }
    const weak = await testApi.call("POST", `/${APP}/${CLIENT}/users/register`, {
      email: "a@example.org",
      password: "qwerty",
    });
    expect(weak.body).toMatchObject({ code: 3021, errorData: { setting: "KITH_API_DEFAULTS=hosted" } });
    expect(
      await getOutcome(clientSdk().UserService.createEmailConfirmationURL("a@example.org")),
    ).toMatchObject(allows);
    expect(await many(database.db, sql`select from people`)).toEqual([]);
  });

  test("have a private profile, and custom columns that only their owner sees", async () => {
    const self = createUserInput({ plays: "drums" });
    const { objectId } = await users().save(self);
    await testApi.set({ apiDefaults: "careful" });
    testApi.forget();
    expect(await users().findById(objectId)).toMatchObject({ plays: null });
  });
});
