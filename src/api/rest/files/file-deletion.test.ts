import { beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, PASSWORD, SERVER } from "../../../../test/support/rest/rest-server.ts";
import { testApi, files, listFilePaths } from "../../../../test/support/rest/files-api.ts";

const DIRECTORY = [
  "/d/",
  "/d/a.log",
  "/d/a.txt",
  "/d/deep/",
  "/d/deep/b.txt",
  "/d/deep/c.log",
  "/d/notes.txt/",
  "/d/notes.txt/d.log",
];
const without = (...gone: string[]) => DIRECTORY.filter((path) => !gone.includes(path));

const remove = (path: string, key = SERVER, headers = {}) =>
  testApi.call("DELETE", `/${APP}/${key}/files/${path}`, undefined, headers) as Promise<{
    status: number;
    body: unknown;
  }>;

beforeEach(async () => {
  for (const path of DIRECTORY.filter((it) => !it.endsWith("/"))) {
    const [name, ...up] = path.split("/").toReversed();
    await files.saveFile(up.toReversed().join("/"), name!, "x");
  }
});

describe("deletion of files in a directory", () => {
  test.each<[string, number, string[]]>([
    ["d?pattern=*.txt", 1, without("/d/a.txt")],
    ["d/?pattern=*.txt&sub=false", 1, without("/d/a.txt")],
    ["d?pattern=*.txt&sub=", 1, without("/d/a.txt")],
    ["d?pattern=*.txt&sub=true", 2, without("/d/a.txt", "/d/deep/b.txt")],
    ["d?pattern=%3F.log&sub=true", 3, without("/d/a.log", "/d/deep/c.log", "/d/notes.txt/d.log")],
    ["d?pattern=none*&sub=true", 0, DIRECTORY],
    ["d?sub=false", 2, without("/d/a.log", "/d/a.txt")],
    ["d?pattern=*&sub=true", 5, ["/d/", "/d/deep/", "/d/notes.txt/"]],
    ["?pattern=a.*&sub=true", 2, without("/d/a.log", "/d/a.txt")],
    ["?pattern=a.*", 0, DIRECTORY],
  ])("with %s removes exactly %d files", async (path, removed, left) => {
    expect(await remove(path)).toMatchObject({ status: 200, body: removed });
    expect(await listFilePaths()).toEqual(left);
  });

  test.each([
    ["d?pattern=&sub=true", "pattern"],
    ["d?pattern=", "pattern"],
    ["d?pattern=*.txt&pattern=*.log", "pattern"],
    [`d?pattern=${"a".repeat(251)}`, "pattern"],
    ["d?pattern=*.txt&sub=perhaps", "sub"],
    ["d?patern=*.txt", "patern"],
    ["d?pattern=*.txt&recursive=true", "recursive"],
    ["d/a.txt?pattern=*.log", "a.txt"],
  ])("with %s is refused with a reason and removes nothing", async (path, named) => {
    const { status, body } = await remove(path);
    expect([status, (body as { message: string }).message]).toEqual([422, expect.stringContaining(named)]);
    expect(await listFilePaths()).toEqual(DIRECTORY);
  });

  test("removes a file even if its URL has additional parameters", async () => {
    expect(await remove("d/a.txt?version=3")).toMatchObject({ status: 200, body: 1 });
    expect(await listFilePaths()).toEqual(without("/d/a.txt"));
  });

  test("removes nothing if the caller may not remove one of the matching files", async () => {
    await files.Permissions.DELETE.grantForAllUsers("d");
    await files.Permissions.DELETE.denyForAllUsers("d/deep/b.txt");
    expect(await remove("d?pattern=*.txt&sub=true", CLIENT)).toMatchObject({ status: 403 });
    expect(await listFilePaths()).toEqual(DIRECTORY);
    expect(await remove("d?pattern=*.log&sub=true", CLIENT)).toMatchObject({ status: 200, body: 3 });
    await files.Permissions.DELETE.denyForAllUsers("d");
    expect(await remove("d?pattern=*", CLIENT)).toMatchObject({ status: 403 });
    expect(await listFilePaths()).toEqual(without("/d/a.log", "/d/deep/c.log", "/d/notes.txt/d.log"));
  });

  test("skips unreadable files without revealing them", async () => {
    await files.Permissions.DELETE.grantForAllUsers("d");
    await files.Permissions.READ.denyForAllUsers("d/deep");
    expect(await remove("d?pattern=*.txt&sub=true", CLIENT)).toMatchObject({ status: 200, body: 1 });
    expect(await remove("d/deep?pattern=*", CLIENT)).toMatchObject({ status: 404, body: { code: 6000 } });
    expect(await remove("none?pattern=*", CLIENT)).toMatchObject({ status: 404, body: { code: 6000 } });
    expect(await listFilePaths()).toEqual(without("/d/a.txt"));
  });

  test("lets members remove their own files", async () => {
    await testApi.set({ filesWrittenBy: "members" });
    await testApi.member("ada");
    const ada = testApi.sdk();
    const signedIn = await ada.UserService.login("ada@example.org", PASSWORD);
    await ada.Files.saveFile("own", "one.tmp", "1");
    await ada.Files.saveFile("own", "two.txt", "2");
    const token = (signedIn as unknown as Record<string, string>)["user-token"];
    expect(await remove("own?pattern=*.tmp", CLIENT, { "user-token": token })).toMatchObject({
      status: 200,
      body: 1,
    });
    expect(await remove("d?pattern=*.txt", CLIENT, { "user-token": token })).toMatchObject({ status: 403 });
    expect(await listFilePaths()).toEqual([...DIRECTORY, "/own/", "/own/two.txt"]);
    await testApi.set({ filesWrittenBy: "programs" });
  });
});
