import { describe, expect, test } from "vitest";
import { changeDataConfig } from "#baas/data";
import { setRole, setStatus, signIn } from "#community/accounts";
import { listMailbox } from "#platform/mail";
import { sendAccountMails } from "../../../../test/support/account-mails.ts";
import { APP, CLIENT, PASSWORD, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  ADMIN,
  app,
  database,
  testApi,
  signInUser,
  getUserCallOutcome,
  registerUser,
  server,
  type User,
} from "../../../../test/support/rest/users-api.ts";

describe("passwords and email addresses", () => {
  test("require the server key and a session for verification", async () => {
    const id = await testApi.member("mira");
    const verify = (key: string, token?: string, password = PASSWORD) =>
      testApi.call(
        "POST",
        `/${APP}/${key}/users/verifypassowrd`,
        { password },
        token ? { "user-token": token } : {},
      );
    expect((await verify(SERVER)).body).toMatchObject({
      code: 3121,
      message: "No authenticated user is associated with request",
    });
    const token = (await signInUser(app, "mira"))["user-token"] as string;
    expect((await verify(CLIENT, token)).body).toMatchObject({
      code: 3122,
      message: "Password verification allowed only from CloudCode",
    });
    await server.UserService.login(id);
    expect([
      await server.UserService.verifyPassword(PASSWORD),
      await server.UserService.verifyPassword("wrong"),
    ]).toEqual([true, false]);
  });

  test("allow a password reset that does not reveal whether the address has an account", async () => {
    await testApi.member("mira");
    await app.UserService.restorePassword("mira@example.org");
    await sendAccountMails(database, testApi.app);
    expect((await listMailbox(database.db, "mira@example.org"))[0]!.text).toContain("/resetPassword?token=");
    expect(await getUserCallOutcome(app.UserService.restorePassword("nobody@example.org"))).toMatchObject({
      code: 3020,
    });
    await testApi.set({ confirmAddress: true });
    expect(await getUserCallOutcome(app.UserService.restorePassword("nobody@example.org"))).toEqual({
      answered: "",
    });
    expect(await getUserCallOutcome(server.UserService.restorePassword("nobody@example.org"))).toMatchObject({
      code: 3020,
    });
  });

  test("allow another confirmation mail, and a confirmation link with the server key", async () => {
    await testApi.set({ confirmAddress: true });
    await registerUser({ email: "ana@example.org", password: PASSWORD });
    database.clock.pass(61_000);
    expect(await app.UserService.resendEmailConfirmation("ana@example.org")).toBe("");
    await sendAccountMails(database, testApi.app);
    expect(await listMailbox(database.db, "ana@example.org")).toHaveLength(2);
    expect(
      await getUserCallOutcome(app.UserService.createEmailConfirmationURL("ana@example.org")),
    ).toMatchObject({ code: 2011, status: 403 });
    expect(
      await getUserCallOutcome(server.UserService.createEmailConfirmationURL("nobody@example.org")),
    ).toMatchObject({ code: 3020 });
  });
});

describe("account update", () => {
  test("changes only the given properties, and returns the whole user", async () => {
    const id = await testApi.member("mira");
    const self = await signInUser(app, "mira");
    const changed = (await app.UserService.update({ ...self, name: "Mira B.", age: 40 })) as User;
    expect(changed).toMatchObject({
      objectId: id,
      name: "Mira B.",
      age: 40,
      email: "mira@example.org",
      userStatus: "ENABLED",
    });
    expect(
      (await app.UserService.update({ objectId: id, city: "Bern", age: 40.5 }).catch(
        (error: unknown) => error,
      )) as User,
    ).toMatchObject({ code: 3021 });
    expect(await app.UserService.update({ objectId: id, city: "Bern" })).toMatchObject({
      name: "Mira B.",
      age: 40,
      city: "Bern",
    });
  });

  test("limits the total size of custom properties over several updates", async () => {
    const objectId = await testApi.member("mira");
    await changeDataConfig(testApi.app.tables, { dynamicSchema: true });
    await signInUser(app, "mira");
    expect(await app.UserService.update({ objectId, one: "x".repeat(12_000) })).toMatchObject({ objectId });
    expect(
      await getUserCallOutcome(app.UserService.update({ objectId, two: "x".repeat(12_000) })),
    ).toMatchObject({ code: 3021 });
    expect(await app.UserService.update({ objectId, one: "y".repeat(19_000) })).not.toHaveProperty("two");
  });

  test("requires the person or the server key; other callers get not-found", async () => {
    const [mira, tomas] = [await testApi.member("mira"), await testApi.member("tomas")];
    await signInUser(app, "mira");
    expect(await getUserCallOutcome(app.UserService.update({ objectId: tomas, name: "Tom" }))).toEqual({
      code: 1000,
      status: 400,
      message: `Entity with ID ${tomas} not found`,
    });
    expect(
      await getUserCallOutcome(testApi.sdk().UserService.update({ objectId: mira, name: "M" })),
    ).toMatchObject({ code: 1000 });
    expect(
      await server.UserService.update({
        objectId: tomas,
        name: "Tom",
        email: "tom@example.org",
        password: "six grey geese!",
      }),
    ).toMatchObject({ name: "Tom", email: "tom@example.org" });
    await signInUser(app, "tom@example.org", "six grey geese!");
    expect(
      await getUserCallOutcome(server.UserService.update({ objectId: tomas, email: "mira@example.org" })),
    ).toMatchObject({ code: 3033 });
  });

  test("requires a recent session for a new password or email address", async () => {
    const id = await testApi.member("mira");
    await signInUser(app, "mira");
    expect(await app.UserService.update({ objectId: id, email: "new@example.org" })).toMatchObject({
      email: "mira@example.org",
    });
    await sendAccountMails(database, testApi.app);
    expect((await listMailbox(database.db, "new@example.org"))[0]!.text).toContain("/login/email?token=");
    await app.UserService.update({ objectId: id, password: "six grey geese!" });
    expect(await app.UserService.isValidLogin()).toBe(true);
    database.clock.pass(16 * 60_000);
    expect(
      await getUserCallOutcome(app.UserService.update({ objectId: id, password: "ten blue ducks!" })),
    ).toMatchObject({ status: 403 });
    await signInUser(testApi.sdk(), "mira", "six grey geese!");
  });

  test("applies completely or not at all", async () => {
    const tomas = await testApi.member("tomas");
    await testApi.member("mira");
    const half = { objectId: tomas, name: "Tom", username: "tom" };
    expect(
      await getUserCallOutcome(server.UserService.update({ ...half, email: "mira@example.org" })),
    ).toMatchObject({ code: 3033 });
    expect(await getUserCallOutcome(server.UserService.update({ ...half, password: "tom" }))).toMatchObject({
      status: 400,
    });
    expect(await server.UserService.update({ objectId: tomas, city: "Bern" })).toMatchObject({
      username: "tomas",
      name: "tomas",
    });
    expect(await server.UserService.update(half)).toMatchObject({ username: "tom", name: "Tom" });
  });

  test("requires the server key to change the status, which ends sessions at once", async () => {
    const id = await testApi.member("mira");
    const token = (await signInUser(app, "mira"))["user-token"] as string;
    expect(await getUserCallOutcome(app.UserService.disableUser(id))).toEqual({
      code: 3054,
      status: 400,
      message: "Operation allowed only for BL logic.",
    });
    expect((await testApi.call("GET", "/api/info", undefined, { "user-token": token })).status).toBe(200);
    await server.UserService.disableUser(id);
    expect((await testApi.call("GET", "/api/info", undefined, { "user-token": token })).body).toMatchObject({
      code: 3064,
    });
    expect(await getUserCallOutcome(signInUser(testApi.sdk(), "mira"))).toMatchObject({ code: 3090 });
    await server.UserService.enableUser(id);
    await signInUser(app, "mira");
    expect(
      await getUserCallOutcome(
        (
          server.UserService as unknown as { updateUserStatus: (id: string, status: string) => Promise<void> }
        ).updateUserStatus(id, "SOMETHING"),
      ),
    ).toMatchObject({ code: 3021 });
  });
});

describe("REST user token", () => {
  test("stays cached for a short time, or until its person changes", async () => {
    const id = await testApi.member("mira", { role: "member" });
    const { ["user-token"]: token } = (await signInUser(app, "mira")) as { "user-token": string };
    const roles = async () =>
      (await testApi.call("GET", "/api/users/userroles", undefined, { "user-token": token })).body;
    expect(await roles()).toContain("AuthenticatedUser");
    await database.inTransaction((tx) => setRole(tx, ADMIN, { personId: id, role: "moderator" }));
    expect(await roles()).toContain("AuthenticatedUser");
    await database.inTransaction((tx) =>
      setStatus(tx, ADMIN, { personId: id, state: "suspended", reason: "x" }),
    );
    expect(await roles()).toMatchObject({ code: 3064 });
  });

  test("cannot be the token of a browser session", async () => {
    const id = await testApi.member("mira");
    const session = await signIn(
      testApi.app,
      { login: "mira", password: PASSWORD },
      { address: "203.0.113.7", userAgent: "", acceptLanguage: "" },
      "web",
    );
    const token = session.kind === "signed-in" ? session.session.token : "";
    expect((await testApi.call("GET", "/api/info", undefined, { "user-token": token })).body).toMatchObject({
      code: 3064,
    });
    await testApi.set({ audience: "private" });
    expect((await testApi.call("GET", "/api/users/userroles")).status).toBe(401);
    expect((await testApi.call("GET", `/${APP}/${SERVER}/users/userroles/${id}`)).status).toBe(200);
    await signInUser(app, "mira");
    expect(await app.UserService.getUserRoles()).toContain("AuthenticatedUser");
  });
});
