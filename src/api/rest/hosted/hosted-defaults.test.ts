import { describe, expect, test } from "vitest";
import { listMailbox } from "#platform/mail";
import { sendAccountMails } from "../../../../test/support/account-mails.ts";
import { APP, CLIENT, startTestApi, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  clientSdk,
  database,
  testApi,
  callManagement,
  createUserInput,
  getOutcome,
  type Row,
  serverSdk,
  createClient,
} from "../../../../test/support/rest/hosted-api.ts";
import { confirmEmail } from "#community/accounts";

describe("API defaults setting", () => {
  test("lets every caller access tables and files when it is `hosted`", async () => {
    await callManagement("PUT", "/api-defaults", { apiDefaults: "careful" });
    expect(await callManagement("GET", "/api-defaults")).toEqual({ apiDefaults: "careful" });
    const save = () => getOutcome(clientSdk().Data.of("Note").save({ text: "x" }));
    const write = () => getOutcome(clientSdk().Files.saveFile("d", "a.txt", "x", true));
    expect([await save(), await write()]).toMatchObject([{ code: 1009 }, { code: 403 }]);
    expect(await callManagement("PUT", "/api-defaults", { apiDefaults: "hosted" })).toEqual({
      apiDefaults: "hosted",
    });
    expect([await save(), await write()]).toMatchObject([
      { answered: { text: "x" } },
      { answered: expect.any(String) },
    ]);
    expect(await callManagement("GET", "/data/config")).toEqual({
      dynamicSchema: true,
      defaultAccess: "open",
    });
    expect(await callManagement("GET", "/users/registration")).toMatchObject({
      emailConfirmationRequired: false,
      accountsPerAddress: 0,
    });
    expect(await callManagement("PUT", "/data/config", { defaultAccess: "members" })).toMatchObject({
      defaultAccess: "members",
    });
    expect(await save()).toMatchObject({ code: 1011 });
  });

  test("requires the server key, and a confirmation in production", async () => {
    for (const apiDefaults of ["open", 1, undefined])
      expect(await callManagement("PUT", "/api-defaults", { apiDefaults })).toMatchObject({ code: 422 });
    expect(
      await testApi.call("PUT", `/${APP}/${CLIENT}/management/api-defaults`, { apiDefaults: "careful" }),
    ).toMatchObject({
      status: 403,
    });
    const production = await startTestApi(database, { production: true });
    const put = async (body: object) =>
      (await production.call("PUT", `/${APP}/${SERVER}/management/api-defaults`, body)).body;
    expect(await put({ apiDefaults: "hosted" })).toMatchObject({
      code: 422,
      message: expect.stringContaining("iUnderstand"),
    });
    expect(await put({ apiDefaults: "careful" })).toEqual({ apiDefaults: "careful" });
    expect(await put({ apiDefaults: "hosted", iUnderstand: true })).toEqual({ apiDefaults: "hosted" });
    await production.close();
  });
});

describe("apps with the client key", () => {
  const send = (name: string) =>
    testApi.call("POST", `/${APP}/${CLIENT}/emailtemplate/send`, {
      addresses: ["ana@example.org"],
      "template-name": name,
      "template-values": { what: "seeds" },
      uniqueEmails: false,
    });

  test("can send mail from a template, but not with their own text", async () => {
    expect((await send("nonexistent")).body).toMatchObject({
      code: 24002,
      message: "Email Template with name 'nonexistent' doesn't exist.",
    });
    await callManagement("PUT", "/email-templates/Seeds", {
      subject: "Your ${what}",
      text: "Here they are.",
    });
    expect(await send("Seeds")).toMatchObject({ status: 200 });
    const text = { subject: "x", bodyparts: { textmessage: "x" }, to: ["ana@example.org"] };
    expect(await testApi.call("POST", `/${APP}/${CLIENT}/messaging/email`, text)).toMatchObject({
      status: 403,
    });
    await callManagement("PUT", "/api-defaults", { apiDefaults: "careful" });
    expect((await send("Seeds")).body).toMatchObject({
      code: 403,
      message: expect.stringContaining("KITH_API_DEFAULTS=hosted"),
    });
  });

  test("can create links that confirm an email address", async () => {
    await callManagement("PUT", "/users/registration", {
      userRegistrationEnabled: true,
      emailConfirmationRequired: true,
    });
    const user = createUserInput({ email: "ana@example.org" });
    const { objectId } = (await clientSdk().UserService.register(user)) as unknown as Row;
    expect(await getOutcome(clientSdk().UserService.login(user.email, user.password))).toMatchObject({
      code: 3087,
    });
    await sendAccountMails(database, testApi.app);
    expect(await listMailbox(database.db, user.email)).toHaveLength(1);
    expect(await clientSdk().UserService.resendEmailConfirmation(user.email)).toBe("");
    const { confirmationURL } = (await clientSdk().UserService.createEmailConfirmationURL(
      user.email,
    )) as unknown as {
      confirmationURL: string;
    };
    await confirmEmail(testApi.app, new URL(confirmationURL).searchParams.get("token")!, {
      password: user.password,
    });
    expect(await clientSdk().UserService.login(user.email, user.password)).toMatchObject({ objectId });
    expect(
      await getOutcome(clientSdk().UserService.createEmailConfirmationURL("nobody@example.org")),
    ).toMatchObject({ code: 3020 });
  });

  test("can sign in guests, who own the records they store", async () => {
    const sdk = clientSdk();
    const guest = (await sdk.UserService.loginAsGuest()) as unknown as Row;
    expect(await sdk.Data.of("Note").save({ text: "mine" })).toMatchObject({ ownerId: guest.objectId });
  });
});

test("apps with the server key can sign users in by id, disable them and sign them out", async () => {
  const user = createUserInput();
  const { objectId } = (await serverSdk().Data.of("Users").save(user)) as unknown as Row;
  expect(await getOutcome(clientSdk().UserService.login(objectId))).toMatchObject({ code: 2014 });
  const sdk = createClient("8", SERVER);
  expect(await sdk.UserService.login(objectId)).toMatchObject({ objectId, email: user.email });
  await sdk.UserService.disableUser(objectId);
  await expect(sdk.UserService.logout()).resolves.toBe(undefined);
  expect(await sdk.Data.of("Users").findById(objectId)).toMatchObject({ userStatus: "DISABLED" });
  expect(await getOutcome(clientSdk().UserService.login(user.email, user.password))).toMatchObject({
    code: 3090,
  });
  await sdk.UserService.enableUser(objectId);
  expect(await sdk.Data.of("Users").findById(objectId)).toMatchObject({ userStatus: "ENABLED" });
});
