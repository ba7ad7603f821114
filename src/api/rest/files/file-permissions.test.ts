import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { run, sql } from "#platform/database";
import {
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
type Sdk = ReturnType<TestRestApi["sdk"]>;
let who: Record<"guest" | "mira" | "tomas" | "server", Sdk>;
let ids: Record<"mira" | "tomas", string>;
const root = () => who.server.Files;

beforeAll(async () => {
  testApi = await startTestApi(database);
});
beforeEach(async () => {
  testApi.forget();
  await testApi.set({ severalLogins: true, apiCalls: 0 });
  const signedIn = async (name: string) => {
    await testApi.member(name);
    const sdk = testApi.sdk();
    const { objectId } = await sdk.UserService.login(`${name}@example.org`, PASSWORD);
    return { sdk, id: objectId! };
  };
  const [mira, tomas] = [await signedIn("mira"), await signedIn("tomas")];
  ids = { mira: mira.id, tomas: tomas.id };
  who = { guest: testApi.sdk(), mira: mira.sdk, tomas: tomas.sdk, server: testApi.sdk(SERVER) };
});
afterAll(() => testApi.close());

/** Outcome: done, not allowed, or not found. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "yes",
    (error: { code: number }) =>
      error.code === 403 ? "no" : [6000, 6007].includes(error.code) ? "none" : String(error.code),
  );

/** Rights on `d/it`: read, append, create beside the file, delete. */
async function powers(name: keyof typeof who): Promise<string> {
  const { Files } = who[name];
  const done = [
    await outcome(
      Files.listing("d").then((all) =>
        (all as unknown as { name: string }[]).some((it) => it.name === "it")
          ? ""
          : Promise.reject({ code: 6000 }),
      ),
    ),
    await outcome(Files.appendText("d", "it", "+")),
    await outcome(Files.saveFile("d", `beside-${name}`, "x", true)),
    await outcome(Files.remove("d/it")),
  ];
  await root()
    .remove(`d/beside-${name}`)
    .catch(() => {});
  await root().appendText("d", "it", "");
  return done.join(" ");
}
const all = async () => {
  const found: Partial<Record<keyof typeof who, string>> = {};
  for (const name of ["guest", "mira", "tomas", "server"] as const) found[name] = await powers(name);
  return found;
};
const EVERYTHING = "yes yes yes yes";
const READ = "yes no no no";

describe("file permissions", () => {
  beforeEach(() => root().saveFile("d", "it", "x"));

  test("default to reading for everyone and writing with the server key", async () => {
    expect(await all()).toEqual({ guest: READ, mira: READ, tomas: READ, server: EVERYTHING });
  });

  test("follow the settings", async () => {
    await testApi.set({ filesReadBy: "members", filesWrittenBy: "members" });
    expect(await all()).toEqual({
      guest: "none no no none",
      mira: "yes no yes no",
      tomas: "yes no yes no",
      server: EVERYTHING,
    });
    await testApi.set({ filesWrittenBy: "everybody", filesReadBy: "everybody" });
    expect(await all()).toEqual({
      guest: EVERYTHING,
      mira: EVERYTHING,
      tomas: EVERYTHING,
      server: EVERYTHING,
    });
    await testApi.set({ filesWrittenBy: "programs", filesReadBy: "programs" });
    expect(await all()).toEqual({
      guest: "none no no none",
      mira: "none no no none",
      tomas: "none no no none",
      server: EVERYTHING,
    });
  });

  test("allow creators to change only their own files where members may write", async () => {
    await testApi.set({ filesWrittenBy: "members" });
    const mine = who.mira.Files;
    await mine.saveFile("mine", "a.txt", "1");
    await mine.appendText("mine", "a.txt", "2");
    expect(await outcome(who.tomas.Files.appendText("mine", "a.txt", "3"))).toBe("no");
    expect(await outcome(who.tomas.Files.saveFile("mine", "a.txt", "3", true))).toBe("no");
    expect(await outcome(who.tomas.Files.saveFile("mine", "b.txt", "3"))).toBe("yes");
    // The directory also contains files of other people.
    expect(await outcome(mine.remove("mine"))).toBe("no");
    expect(await outcome(mine.moveFile("mine", "yours"))).toBe("no");
    expect(await outcome(mine.renameFile("mine/a.txt", "c.txt"))).toBe("yes");
    await who.tomas.Files.remove("mine/b.txt");
    expect(await outcome(mine.remove("mine"))).toBe("yes");
  });

  test("allow sanctioned people only to read", async () => {
    await testApi.set({ filesWrittenBy: "everybody" });
    await run(database.db, sql`update people set state = 'limited' where id = ${ids.mira}`);
    testApi.forget();
    expect(await powers("mira")).toBe(READ);
  });

  test("require membership in a private community", async () => {
    await testApi.set({ audience: "private" });
    expect(await outcome(who.guest.Files.listing("d"))).toBe("401");
    expect(await outcome(who.mira.Files.listing("d"))).toBe("yes");
  });
});

describe("file grants and denials", () => {
  type Acts = "READ" | "WRITE" | "DELETE";
  const permissions = (by: Sdk, act: Acts) => by.Files.Permissions[act];
  beforeEach(() => root().saveFile("d", "it", "x"));

  test.each<
    [
      string,
      (to: (act: Acts) => Sdk["Files"]["Permissions"]["READ"]) => Promise<unknown>[],
      Record<string, string>,
    ]
  >([
    ["a user", (to) => [to("WRITE").grantForUser(ids.mira, "d/it")], { mira: "yes yes no no", tomas: READ }],
    [
      "a user in a directory",
      (to) => [to("WRITE").grantForUser(ids.mira, "d"), to("DELETE").grantForUser(ids.mira, "d")],
      { mira: EVERYTHING, tomas: READ },
    ],
    [
      "all users",
      (to) => [to("DELETE").grantForAllUsers("/d")],
      { guest: "yes no no yes", mira: "yes no no yes" },
    ],
    [
      "all roles in the root directory",
      (to) => [to("WRITE").grantForAllRoles("/")],
      { guest: "yes yes yes no", tomas: "yes yes yes no" },
    ],
    [
      "a role",
      (to) => [to("WRITE").grantForRole("AuthenticatedUser", "d")],
      { guest: READ, mira: "yes yes yes no" },
    ],
    [
      "a role except one person",
      (to) => [to("WRITE").grantForRole("AuthenticatedUser", "d"), to("WRITE").denyForUser(ids.mira, "d")],
      { mira: READ, tomas: "yes yes yes no" },
    ],
    [
      "one person only",
      (to) => [to("READ").denyForAllUsers("d"), to("READ").grantForUser(ids.mira, "d")],
      { guest: "none no no none", mira: READ, tomas: "none no no none", server: EVERYTHING },
    ],
    [
      "a directory except one file",
      (to) => [to("WRITE").grantForAllUsers("d"), to("WRITE").denyForAllRoles("d/it")],
      { mira: "yes no yes no" },
    ],
  ])("apply to %s", async (_who, grants, expected) => {
    await Promise.all(grants((act) => permissions(who.server, act)));
    expect(await all()).toMatchObject(expected);
  });

  test("move with a renamed or moved path, and are deleted with it", async () => {
    await permissions(who.server, "READ").denyForAllUsers("d/it");
    await root().moveFile("d/it", "e/it");
    expect(await who.mira.Files.exists("e/it")).toBe(false);
    await root().remove("e/it");
    await root().saveFile("e", "it", "x");
    expect(await who.mira.Files.exists("e/it")).toBe(true);
  });

  test("can deny READ to the owner too, who can still set permissions", async () => {
    await testApi.set({ filesWrittenBy: "members" });
    await who.mira.Files.saveFile("mine", "a.txt", "1");
    await permissions(who.mira, "READ").denyForAllUsers("mine/a.txt");
    expect(await outcome(who.mira.Files.listing("mine/a.txt"))).toBe("none");
    expect(await outcome(permissions(who.tomas, "READ").denyForAllUsers("mine/a.txt"))).toBe("none");
    expect(await outcome(permissions(who.mira, "WRITE").denyForAllRoles("mine/a.txt"))).toBe("yes");
  });

  test("hide a file in lists, counts and copies, and at its URL", async () => {
    await root().saveFile("d/deep", "seen", "x");
    await permissions(who.server, "READ").denyForAllUsers("d");
    await permissions(who.server, "READ").grantForAllUsers("d/deep");
    const { Files } = who.mira;
    expect(await outcome(Files.listing("d"))).toBe("none");
    expect(await Files.getFileCount("/", "*", true, true)).toBe(2);
    expect(
      ((await Files.listing("/", "*", true)) as unknown as { url: string }[]).map(({ url }) => url),
    ).toEqual(["d/deep", "d/deep/seen"]);
    expect((await fetch((await root().renameFile("d/it", "that")) as unknown as string)).status).toBe(404);
    await permissions(who.server, "WRITE").grantForUser(ids.mira, "/");
    expect(await outcome(Files.copyFile("d", "mine"))).toBe("none");
    await Files.copyFile("d/deep", "mine");
    expect(await Files.exists("mine/seen")).toBe(true);
  });

  test("may be set by the server key and by the creator within their own rights", async () => {
    await testApi.set({ filesWrittenBy: "members" });
    await who.mira.Files.saveFile("mine", "a.txt", "1");
    for (const name of ["guest", "tomas"] as const)
      expect(await outcome(permissions(who[name], "READ").denyForAllUsers("mine/a.txt"))).toBe("no");
    expect(await outcome(permissions(who.mira, "WRITE").grantForUser(ids.tomas, "mine/a.txt"))).toBe("yes");
    expect(await outcome(who.tomas.Files.appendText("mine", "a.txt", "2"))).toBe("yes");
    await permissions(who.server, "DELETE").denyForUser(ids.mira, "mine/a.txt");
    expect(await outcome(permissions(who.mira, "DELETE").grantForUser(ids.mira, "mine/a.txt"))).toBe("no");
    expect(await outcome(permissions(who.mira, "READ").grantForAllUsers("d"))).toBe("no");
  });

  test("require an existing path, a valid action and a subject", async () => {
    expect(await outcome(permissions(who.server, "READ").grantForAllUsers("nothing"))).toBe("none");
    const call = async (path: string, body: unknown) =>
      (await testApi.call("PUT", `/${testApi.app.appId}/${SERVER}/files/permissions/${path}`, body)).status;
    expect(await call("GRANT/d", { permission: "EAT", user: "*" })).toBe(422);
    expect(await call("GRANT/d", { permission: "READ" })).toBe(422);
    expect(await call("GRANT/d", { permission: "READ", user: "*", role: "*" })).toBe(422);
    expect(await call("ALLOW/d", { permission: "READ", user: "*" })).toBe(422);
    expect(await call("GRANT/d", [])).toBe(422);
  });
});
