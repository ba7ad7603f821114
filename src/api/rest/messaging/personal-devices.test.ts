import { describe, expect, test } from "vitest";
import { eraseDeactivated } from "#community/accounts";
import { one, run, sql } from "#platform/database";
import { SERVER } from "../../../../test/support/rest/rest-server.ts";
import { registerTestDevice } from "../../../../test/support/rest/push-api.ts";
import { findWholeWords } from "../../../../test/support/whole-words.ts";
import {
  database,
  db,
  testApi,
  messagingPath,
  signInSdk,
  listRegistrations,
  listTokens,
} from "../../../../test/support/rest/device-api.ts";

describe("device of a person", () => {
  test("appears only to its owner and admins", async () => {
    const [ana, ben] = [await signInSdk("ana"), await signInSdk("ben")];
    await registerTestDevice(ana, "phone", { token: "secret-of-ana" });
    for (const sdk of [ben, testApi.sdk()]) {
      sdk.setupDevice({ uuid: "phone", platform: "ios", version: "1" });
      expect(await listRegistrations(sdk)).toEqual([]);
    }
    expect(await listRegistrations(ana)).toMatchObject([{ deviceToken: "secret-of-ana" }]);
    expect((await testApi.call("GET", messagingPath("registrations/phone", SERVER))).body).toMatchObject([
      { deviceToken: "secret-of-ana" },
    ]);
  });

  test("changes owner when another person registers it, without revealing earlier data", async () => {
    const [ana, ben] = [await signInSdk("ana"), await signInSdk("ben")];
    await registerTestDevice(ana, "phone", { token: "secret-of-ana", channels: ["hers"] });
    await registerTestDevice(ben, "phone", { token: "of-ben", channels: ["his"] });
    expect(await listRegistrations(ana)).toEqual([]);
    const his = await listRegistrations(ben);
    expect(his).toMatchObject([{ deviceToken: "of-ben", channels: ["his"] }]);
    expect(findWholeWords(JSON.stringify(his), ["secret-of-ana", "ana", "hers"])).toEqual([]);
  });

  test("can be unregistered by its app after sign-out", async () => {
    const ana = await signInSdk("ana");
    await registerTestDevice(ana, "phone");
    await ana.UserService.logout();
    expect(await ana.Messaging.unregisterDevice()).toEqual({ result: true });
    expect(await listTokens()).toEqual([]);
  });

  test("disappears with the account", async () => {
    const ana = await signInSdk("ana");
    await registerTestDevice(ana, "phone");
    await registerTestDevice(testApi.sdk(), "nobody's");
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)}
        where id = ${ana.personId}`,
    );
    expect(await database.inTransaction(eraseDeactivated)).toBe(1);
    expect(await listTokens()).toEqual(["token-nobody's"]);
    expect(await one(db, sql`select count(*)::int as n from device_channels`)).toEqual({ n: 1 });
  });
});
