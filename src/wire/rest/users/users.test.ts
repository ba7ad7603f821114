import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setConfig } from "#backend/tables";
import { setRole, setStatus } from "#community/people";
import type { SignedIn } from "#community/rules";
import { many, run, sql } from "#platform/database";
import { mailbox } from "#platform/mail";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, PASSWORD, type RestDoor, SERVER } from "../rest.fixture.ts";

const database = await testDatabase();
let door: RestDoor;
let app: typeof Backendless;
let server: typeof Backendless;
beforeAll(async () => void (door = await openDoor(database)));
beforeEach(async () => {
  door.forget();
  await door.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0 });
  [app, server] = [door.sdk(), door.sdk(SERVER)];
});
afterAll(() => door.close());

type User = Record<string, unknown>;
const login = (sdk: typeof Backendless, who: string, password = PASSWORD) => sdk.UserService.login<User>(who, password);
const register = (user: User) => app.UserService.register<User>(user);
const refused = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ answered: answer }),
    ({ code, status, message }: { code: number; status: number; message: string }) => ({ code, status, message }),
  );
const ADMIN: SignedIn = { id: "01900000-0000-7000-8000-00000000ad01", role: "admin", trust: "established", limited: false };

describe("registering", () => {
  test("makes an account with properties of the program's own, and signs nobody in", async () => {
    const born = new Date("1990-02-03T04:05:06.007Z");
    const user = await register({ email: "ana@example.org", password: PASSWORD, name: "Ana", age: 31, vip: true, tags: ["a"], born });
    expect(user).toMatchObject({
      email: "ana@example.org",
      name: "Ana",
      userStatus: "ENABLED",
      age: 31,
      vip: true,
      tags: ["a"],
      born: born.getTime(),
      updated: null,
    });
    expect(user).toMatchObject({ ___class: "Users", ownerId: user["objectId"], created: database.clock.at.getTime() });
    expect(Object.keys(user)).not.toContain("password");
    expect(Object.keys(user)).not.toContain("user-token");
    const self = await login(app, "ana@example.org");
    expect(self).toMatchObject({
      objectId: user["objectId"],
      age: 31,
      born: born.getTime(),
      "user-token": expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const columns = (await app.UserService.describeUserClass()) as { name: string; type: string; identity: boolean }[];
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toMatchObject({
      objectId: "STRING_ID",
      email: "STRING",
      age: "INT",
      vip: "BOOLEAN",
      tags: "JSON",
      born: "DATETIME",
    });
    expect(Object.keys(columns[0]!).toSorted()).toEqual(
      "autoLoad,customRegex,defaultValue,expression,identity,isPrimaryKey,name,relatedTable,required,type".split(","),
    );
    expect(columns.filter(({ identity }) => identity).map(({ name }) => name)).toEqual(["email"]);
  });

  test("leaves out what is new where nothing new is made, and never what the community knows", async () => {
    await setConfig(door.house.tables, { dynamicSchema: false });
    const user = await register({
      email: "ana@example.org",
      password: PASSWORD,
      age: 31,
      userStatus: "ADMIN",
      role: "admin",
      ownerId: "x",
    });
    expect(user).not.toHaveProperty("age");
    expect(user).toMatchObject({ userStatus: "ENABLED", name: "ana", ownerId: user["objectId"] });
    expect(await many(database.db, sql`select site_role from people`)).toEqual([{ site_role: "member" }]);
  });

  test.each<[string, User, number]>([
    ["nothing", {}, 3011],
    ["no password", { email: "ana@example.org" }, 3011],
    ["a password that will not do", { email: "ana@example.org", password: "123456" }, 3021],
    ["no address", { password: PASSWORD }, 3013],
    ["an address that is none", { email: "ana", password: PASSWORD }, 3040],
    ["an id", { email: "ana@example.org", password: PASSWORD, id: "1" }, 3039],
    ["a property with a name that is none", { email: "ana@example.org", password: PASSWORD, "a b": 1 }, 3021],
    ["an address that somebody has", { email: "Mira@example.org", password: PASSWORD }, 3033],
  ])("with %s is refused by its number", async (_what, user, code) => {
    await door.member("mira");
    expect(await refused(register(user))).toMatchObject({ code });
  });

  test("says the same of an address that is taken as of one that is free, where that is a secret", async () => {
    await door.set({ confirmAddress: true });
    await door.member("mira");
    const [taken, free] = [
      await register({ email: "mira@example.org", password: PASSWORD }),
      await register({ email: "nora@example.org", password: PASSWORD }),
    ];
    expect([taken["userStatus"], free["userStatus"]]).toEqual(["EMAIL_CONFIRMATION_PENDING", "EMAIL_CONFIRMATION_PENDING"]);
    expect(Object.keys(taken)).toEqual(Object.keys(free));
    expect(await refused(login(app, "nora@example.org"))).toMatchObject({ code: 3087 });
    const { confirmationURL } = (await server.UserService.createEmailConfirmationURL("nora@example.org")) as unknown as {
      confirmationURL: string;
    };
    await door.house.accounts.confirmEmail(new URL(confirmationURL).searchParams.get("token")!);
    expect(await login(app, "nora@example.org")).toMatchObject({ userStatus: "ENABLED" });
  });

  test("is denied in the words that clients know where it is closed", async () => {
    await door.set({ registration: "closed" });
    expect(await refused(register({ email: "ana@example.org", password: PASSWORD }))).toEqual({
      code: 3009,
      status: 403,
      message: "User registration is denied for this version of application",
    });
  });

  test("makes a member of a guest, who keeps their id, and of nobody else's guest", async () => {
    const guest = (await app.UserService.loginAsGuest()) as unknown as User;
    expect(guest).toMatchObject({ userStatus: "GUEST", "user-token": expect.any(String) as string });
    const other = door.sdk();
    const stranger = (await other.UserService.register({
      email: "x@example.org",
      password: PASSWORD,
      objectId: guest["objectId"],
    })) as User;
    expect(stranger["objectId"]).not.toBe(guest["objectId"]);
    expect(await register({ email: "ana@example.org", password: PASSWORD, objectId: guest["objectId"] })).toMatchObject({
      objectId: guest["objectId"],
      userStatus: "ENABLED",
    });
    expect(await login(app, "ana@example.org")).toMatchObject({ objectId: guest["objectId"] });
  });
});

describe("signing in", () => {
  test("goes by address and by name, is known until it ends, and is asked about without harm", async () => {
    await door.member("mira");
    expect(await login(app, "mira")).toMatchObject({ username: "mira", email: "mira@example.org" });
    const token = (await login(app, "MIRA@example.org"))["user-token"] as string;
    expect(await app.UserService.isValidLogin()).toBe(true);
    await app.UserService.logout();
    expect((await door.call("GET", `/${APP}/${CLIENT}/users/isvalidusertoken/${token}`, undefined, { "user-token": token })).text).toBe(
      "false",
    );
    const late = await door.call("GET", `/${APP}/${CLIENT}/users/logout`, undefined, { "user-token": token });
    expect(late.body).toMatchObject({ code: 3064 });
    expect((await door.call("GET", `/${APP}/${CLIENT}/users/logout`)).text).toBe("");
  });

  test.each([
    ["a wrong password", { login: "mira", password: "wrong" }, 3003],
    ["a name that nobody has", { login: "nobody", password: PASSWORD }, 3003],
    ["nothing", {}, 3003],
    ["a list", [], 3021],
    ["a text", "mira", 3021],
  ])("with %s is refused by its number", async (_what, body, code) => {
    await door.member("mira");
    expect((await door.call("POST", `/${APP}/${CLIENT}/users/login`, body)).body).toMatchObject({ code });
  });

  test("by id is for the server key", async () => {
    const id = await door.member("mira");
    expect(await refused(app.UserService.login(id))).toEqual({
      code: 2014,
      status: 400,
      message: "Login by object id is allowed only for Code Runner API key",
    });
    const self = await server.UserService.login<User>(id);
    expect(self).toMatchObject({ objectId: id, "user-token": expect.any(String) as string });
    expect(await refused(door.sdk(SERVER).UserService.login("01900000-0000-7000-8000-000000000000"))).toMatchObject({ code: 1000 });
  });

  test("asks for the second step of who has one", async () => {
    const id = await door.member("mira");
    await database.inTransaction((tx) =>
      run(tx, sql`insert into totp_secrets (person_id, secret_sealed, confirmed_at, created_at) values (${id}, 'x', ${tx.now}, ${tx.now})`),
    );
    const answer = await door.call("POST", `/${APP}/${CLIENT}/users/login`, { login: "mira", password: PASSWORD });
    expect(answer.body).toMatchObject({ code: 403, errorData: { secondStep: true } });
    expect(
      (await door.call("POST", `/${APP}/${CLIENT}/users/login`, { login: "mira", password: PASSWORD, code: "000000" })).status,
    ).toBeGreaterThanOrEqual(400);
  });

  test("with a stale token in the header works as without one", async () => {
    await door.member("mira");
    const answer = await door.call(
      "POST",
      `/${APP}/${CLIENT}/users/login`,
      { login: "mira", password: PASSWORD },
      { "user-token": "stale" },
    );
    expect(answer.status).toBe(200);
  });
});

describe("what the settings say of sessions", () => {
  test("one at a time, and the newer holds, unless somebody says otherwise", async () => {
    await door.member("mira");
    const second = door.sdk();
    await login(app, "mira");
    await login(second, "mira");
    expect([await app.UserService.isValidLogin(), await second.UserService.isValidLogin()]).toEqual([false, true]);
  });

  test("the first holds", async () => {
    await door.set({ newLoginWins: false });
    await door.member("mira");
    const second = door.sdk();
    await login(app, "mira");
    expect(await refused(login(second, "mira"))).toMatchObject({ code: 3002 });
    await app.UserService.logout();
    await login(second, "mira");
  });

  test("several, up to so many", async () => {
    await door.set({ severalLogins: true, mostLogins: 2 });
    await door.member("mira");
    const [second, third] = [door.sdk(), door.sdk()];
    for (const sdk of [app, second]) await login(sdk, "mira");
    expect(await refused(login(third, "mira"))).toMatchObject({ code: 3044 });
    expect([await app.UserService.isValidLogin(), await second.UserService.isValidLogin()]).toEqual([true, true]);
  });

  test("wrong passwords lock an account, and the right one begins the count anew", async () => {
    await door.set({ wrongPasswordsLock: 2, lockMinutes: 5 });
    const id = await door.member("mira");
    const tries = async (...passwords: string[]) => {
      const codes = [];
      for (const password of passwords)
        codes.push(((await refused(login(door.sdk(SERVER), "mira", password))) as { code?: number }).code ?? "in");
      return codes;
    };
    expect(await tries("wrong", PASSWORD, "wrong", "wrong", PASSWORD)).toEqual([3003, "in", 3003, 3003, 3036]);
    database.clock.pass(5 * 60_000);
    expect(await tries(PASSWORD)).toEqual(["in"]);
    expect(await tries("wrong", "wrong", PASSWORD)).toEqual([3003, 3003, 3036]);
    await server.UserService.enableUser(id);
    expect(await tries(PASSWORD)).toEqual(["in"]);
  });

  test("calls are counted by session and by address, and the server key has as many as it likes", async () => {
    await door.set({ apiCalls: 3 });
    const ask = (key: string) => door.call("GET", `/${APP}/${key}/users/userroles`);
    for (let n = 0; n < 3; n++) expect((await ask(CLIENT)).status).toBe(200);
    const over = await ask(CLIENT);
    expect([over.status, Number(over.headers.get("retry-after")) > 0]).toEqual([429, true]);
    for (let n = 0; n < 5; n++) expect((await ask(SERVER)).status).toBe(200);
  });
});

describe("passwords and addresses", () => {
  test("are proven with the server key and a session, each refusal in its own words", async () => {
    const id = await door.member("mira");
    const verify = (key: string, token?: string, password = PASSWORD) =>
      door.call("POST", `/${APP}/${key}/users/verifypassowrd`, { password }, token ? { "user-token": token } : {});
    expect((await verify(SERVER)).body).toMatchObject({ code: 3121, message: "No authenticated user is associated with request" });
    const token = (await login(app, "mira"))["user-token"] as string;
    expect((await verify(CLIENT, token)).body).toMatchObject({ code: 3122, message: "Password verification allowed only from CloudCode" });
    await server.UserService.login(id);
    expect([await server.UserService.verifyPassword(PASSWORD), await server.UserService.verifyPassword("wrong")]).toEqual([true, false]);
  });

  test("are restored by mail; who has an account is told only where that is no secret", async () => {
    await door.member("mira");
    await app.UserService.restorePassword("mira@example.org");
    expect((await mailbox(database.db, "mira@example.org"))[0]!.text).toContain("/resetPassword?token=");
    expect(await refused(app.UserService.restorePassword("nobody@example.org"))).toMatchObject({ code: 3020 });
    await door.set({ confirmAddress: true });
    expect(await refused(app.UserService.restorePassword("nobody@example.org"))).toEqual({ answered: "" });
    expect(await refused(server.UserService.restorePassword("nobody@example.org"))).toMatchObject({ code: 3020 });
  });

  test("are confirmed by a mail that is written again, or by a link for the server key alone", async () => {
    await door.set({ confirmAddress: true });
    await register({ email: "ana@example.org", password: PASSWORD });
    database.clock.pass(61_000);
    expect(await app.UserService.resendEmailConfirmation("ana@example.org")).toBe("");
    expect(await mailbox(database.db, "ana@example.org")).toHaveLength(2);
    expect(await refused(app.UserService.createEmailConfirmationURL("ana@example.org"))).toMatchObject({ code: 2011, status: 403 });
    expect(await refused(server.UserService.createEmailConfirmationURL("nobody@example.org"))).toMatchObject({ code: 3020 });
  });
});

describe("changing an account", () => {
  test("keeps what is not named, and gives the whole user back", async () => {
    const id = await door.member("mira");
    const self = await login(app, "mira");
    const changed = (await app.UserService.update({ ...self, name: "Mira B.", age: 40 })) as User;
    expect(changed).toMatchObject({ objectId: id, name: "Mira B.", age: 40, email: "mira@example.org", userStatus: "ENABLED" });
    expect(
      (await app.UserService.update({ objectId: id, city: "Bern", age: 40.5 }).catch((error: unknown) => error)) as User,
    ).toMatchObject({ code: 3021 });
    expect(await app.UserService.update({ objectId: id, city: "Bern" })).toMatchObject({ name: "Mira B.", age: 40, city: "Bern" });
  });

  test("keeps so much of a program's own, however little comes at once", async () => {
    const objectId = await door.member("mira");
    await setConfig(door.house.tables, { dynamicSchema: true });
    await login(app, "mira");
    expect(await app.UserService.update({ objectId, one: "x".repeat(12_000) })).toMatchObject({ objectId });
    expect(await refused(app.UserService.update({ objectId, two: "x".repeat(12_000) }))).toMatchObject({ code: 3021 });
    expect(await app.UserService.update({ objectId, one: "y".repeat(19_000) })).not.toHaveProperty("two");
  });

  test("is for oneself and for the server key: others are not found", async () => {
    const [mira, tomas] = [await door.member("mira"), await door.member("tomas")];
    await login(app, "mira");
    expect(await refused(app.UserService.update({ objectId: tomas, name: "Tom" }))).toEqual({
      code: 1000,
      status: 400,
      message: `Entity with ID ${tomas} not found`,
    });
    expect(await refused(door.sdk().UserService.update({ objectId: mira, name: "M" }))).toMatchObject({ code: 1000 });
    expect(
      await server.UserService.update({ objectId: tomas, name: "Tom", email: "tom@example.org", password: "six grey geese!" }),
    ).toMatchObject({ name: "Tom", email: "tom@example.org" });
    await login(app, "tom@example.org", "six grey geese!");
    expect(await refused(server.UserService.update({ objectId: tomas, email: "mira@example.org" }))).toMatchObject({ code: 3033 });
  });

  test("to a new password or address wants a session that has just begun, and the address its owner's word", async () => {
    const id = await door.member("mira");
    await login(app, "mira");
    expect(await app.UserService.update({ objectId: id, email: "new@example.org" })).toMatchObject({ email: "mira@example.org" });
    expect((await mailbox(database.db, "new@example.org"))[0]!.text).toContain("/login/email?token=");
    await app.UserService.update({ objectId: id, password: "six grey geese!" });
    expect(await app.UserService.isValidLogin()).toBe(true);
    database.clock.pass(16 * 60_000);
    expect(await refused(app.UserService.update({ objectId: id, password: "ten blue ducks!" }))).toMatchObject({ status: 403 });
    await login(door.sdk(), "mira", "six grey geese!");
  });

  test("of status is for the server key, and ends sessions at once", async () => {
    const id = await door.member("mira");
    const token = (await login(app, "mira"))["user-token"] as string;
    expect(await refused(app.UserService.disableUser(id))).toEqual({
      code: 3054,
      status: 400,
      message: "Operation allowed only for BL logic.",
    });
    expect((await door.call("GET", "/api/info", undefined, { "user-token": token })).status).toBe(200);
    await server.UserService.disableUser(id);
    expect((await door.call("GET", "/api/info", undefined, { "user-token": token })).body).toMatchObject({ code: 3064 });
    expect(await refused(login(door.sdk(), "mira"))).toMatchObject({ code: 3090 });
    await server.UserService.enableUser(id);
    await login(app, "mira");
    expect(
      await refused(
        (server.UserService as unknown as { updateUserStatus: (id: string, status: string) => Promise<void> }).updateUserStatus(
          id,
          "SOMETHING",
        ),
      ),
    ).toMatchObject({ code: 3021 });
  });
});

describe("roles", () => {
  const make = (role: string) =>
    database.inTransaction((tx) => run(tx, sql`insert into roles (name, created_at) values (${role}, ${tx.now})`));

  test("are several at once: of the system, by key, and those that were given", async () => {
    await make("Editor");
    const id = await door.member("mira");
    expect(await app.UserService.getUserRoles()).toEqual(["JSUser", "RestUser", "NotAuthenticatedUser"]);
    await login(app, "mira");
    await server.UserService.assignRole("mira@example.org", "Editor");
    await server.UserService.assignRole(id, "Editor");
    expect(new Set(await app.UserService.getUserRoles())).toEqual(new Set(["JSUser", "RestUser", "AuthenticatedUser", "Editor"]));
    expect(new Set(await server.UserService.getUserRoles(id))).toEqual(new Set(["AuthenticatedUser", "Editor"]));
    await server.UserService.unassignRole(id, "Editor");
    expect(await app.UserService.getUserRoles()).not.toContain("Editor");
  });

  test.each<[string, (id: string) => Promise<unknown>, number]>([
    ["with the client key", (id) => app.UserService.assignRole(id, "Editor"), 2011],
    ["that is none", (id) => server.UserService.assignRole(id, "Nobody"), 2005],
    ["of the system", (id) => server.UserService.assignRole(id, "AuthenticatedUser"), 2007],
    ["of the system, taken", (id) => server.UserService.unassignRole(id, "AuthenticatedUser"), 2008],
    ["to nobody", () => server.UserService.assignRole("nobody@example.org", "Editor"), 1000],
    ["looked for, that is none", () => server.UserService.findByRole("Nobody"), 2005],
    ["of somebody else", (id) => app.UserService.getUserRoles(id), 1000],
    ["looked for by a guest", () => app.UserService.findByRole("Editor"), 401],
  ])("%s: refused by number", async (_what, ask, code) => {
    await make("Editor");
    expect(await refused(ask(await door.member("mira")))).toMatchObject({ code });
  });

  test("tell who has them, to whom the directory shows them", async () => {
    await make("Editor");
    const [mira, tomas] = [await door.member("mira"), await door.member("tomas")];
    await database.inTransaction((tx) => run(tx, sql`update people set privacy = '{"inDirectory":false}' where id = ${tomas}`));
    for (const id of [mira, tomas]) await server.UserService.assignRole(id, "Editor");
    const all = await server.UserService.findByRole<User>("Editor", true, { pageSize: 5 });
    expect(all.map((user) => [user["username"], user["roles"]])).toEqual([
      ["tomas", ["AuthenticatedUser", "Editor"]],
      ["mira", ["AuthenticatedUser", "Editor"]],
    ]);
    await door.member("noor");
    await login(app, "noor");
    const seen = await app.UserService.findByRole<User>("Editor");
    expect(seen.map((user) => Object.keys(user).toSorted())).toEqual([
      ["___class", "created", "name", "objectId", "ownerId", "updated", "username"],
    ]);
    expect(await app.UserService.findByRole("Editor", false, { properties: ["name"] })).toMatchObject([{ objectId: mira, name: "mira" }]);
    // Of others neither what else they are, nor the house they came from.
    expect((await app.UserService.findByRole<User>("Editor", true))[0]).not.toHaveProperty("roles");
    await database.inTransaction((tx) =>
      run(tx, sql`insert into identities (provider, subject, person_id, linked_at) values ('google', '1', ${mira}, ${tx.now})`),
    );
    for (const role of ["SocialUser", "GooglePlusUser"]) {
      expect([role, await app.UserService.findByRole(role)]).toEqual([role, []]);
      expect(await server.UserService.findByRole<User>(role)).toMatchObject([{ username: "mira" }]);
    }
    expect((await app.UserService.findByRole<User>("AuthenticatedUser")).map((user) => user["username"])).toEqual(["noor", "mira"]);
  });
});

describe("a token", () => {
  test("is remembered for a moment, and forgotten as soon as something happens to its person", async () => {
    const id = await door.member("mira", { role: "member" });
    const { ["user-token"]: token } = (await login(app, "mira")) as { "user-token": string };
    const roles = async () => (await door.call("GET", "/api/users/userroles", undefined, { "user-token": token })).body;
    expect(await roles()).toContain("AuthenticatedUser");
    await database.inTransaction((tx) => setRole(tx, ADMIN, { personId: id, role: "moderator" }));
    expect(await roles()).toContain("AuthenticatedUser");
    await database.inTransaction((tx) => setStatus(tx, ADMIN, { personId: id, state: "suspended", reason: "x" }));
    expect(await roles()).toMatchObject({ code: 3064 });
  });

  test("of a page is none here, and a private community is for its members", async () => {
    const id = await door.member("mira");
    const session = await door.house.accounts.signIn(
      { login: "mira", password: PASSWORD },
      { address: "203.0.113.7", userAgent: "", acceptLanguage: "" },
      "web",
    );
    const token = session.kind === "signed-in" ? session.session.token : "";
    expect((await door.call("GET", "/api/info", undefined, { "user-token": token })).body).toMatchObject({ code: 3064 });
    await door.set({ audience: "private" });
    expect((await door.call("GET", "/api/users/userroles")).status).toBe(401);
    expect((await door.call("GET", `/${APP}/${SERVER}/users/userroles/${id}`)).status).toBe(200);
    await login(app, "mira");
    expect(await app.UserService.getUserRoles()).toContain("AuthenticatedUser");
  });
});
