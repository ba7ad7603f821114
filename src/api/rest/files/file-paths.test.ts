import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  readFileContent,
  testApi,
  files,
  listFileNames,
  listFilePaths,
  fileUrlOf,
} from "../../../../test/support/rest/files-api.ts";

describe("path operation", () => {
  beforeEach(async () => {
    await files.saveFile("a", "one.txt", "1");
    await files.saveFile("a/deep", "two.txt", "2");
  });

  test("renames a file, or a directory with its contents", async () => {
    expect(await files.renameFile("a/one.txt", "uno.txt")).toBe(fileUrlOf("a/uno.txt"));
    expect(await files.renameFile("/a/deep", "tief")).toBe(fileUrlOf("a/tief"));
    expect(await listFilePaths()).toEqual(["/a/", "/a/tief/", "/a/tief/two.txt", "/a/uno.txt"]);
    await expect(files.renameFile("a/tief", "uno.txt")).rejects.toMatchObject({ code: 409 });
    await expect(files.renameFile("a/tief", "../b")).rejects.toMatchObject({ code: 422 });
  });

  test("moves to a new name or into an existing directory", async () => {
    expect(await files.moveFile("a/one.txt", "b/c/uno.txt")).toBe(fileUrlOf("b/c/uno.txt"));
    expect(await files.moveFile("a/deep", "b")).toBe(fileUrlOf("b/deep"));
    expect(await listFilePaths()).toEqual([
      "/a/",
      "/b/",
      "/b/c/",
      "/b/c/uno.txt",
      "/b/deep/",
      "/b/deep/two.txt",
    ]);
    await expect(files.moveFile("b", "b/c/d")).rejects.toMatchObject({ code: 409 });
    await expect(files.moveFile("b/c", "b/c")).rejects.toMatchObject({ code: 409 });
    await expect(files.moveFile("b", "b/c/uno.txt/x")).rejects.toMatchObject({ code: 409 });
  });

  test("copies to independent files", async () => {
    expect(await files.copyFile("a", "b")).toBe(fileUrlOf("b"));
    expect(await files.copyFile("a/one.txt", "b/deep")).toBe(fileUrlOf("b/deep/one.txt"));
    await files.appendText("b", "one.txt", "+");
    await files.remove("a");
    expect(await listFilePaths()).toEqual([
      "/b/",
      "/b/deep/",
      "/b/deep/one.txt",
      "/b/deep/two.txt",
      "/b/one.txt",
    ]);
    expect([
      await readFileContent("b/one.txt"),
      await readFileContent("b/deep/one.txt"),
      await readFileContent("b/deep/two.txt"),
    ]).toEqual(["1+", "1", "2"]);
    await expect(files.copyFile("b", "b/again")).rejects.toMatchObject({ code: 409 });
  });

  test("removes by path or URL, including the contents of a directory", async () => {
    expect(await files.remove(`/a/deep/two.txt`)).toBe(1);
    // URLs are public and contain the public key, so deleting by URL uses the caller's own rights.
    await expect(testApi.sdk().Files.remove(fileUrlOf("a/one.txt"))).rejects.toMatchObject({ code: 403 });
    expect(await files.remove(fileUrlOf("a/one.txt").replace(CLIENT, SERVER))).toBe(1);
    expect(await files.removeDirectory("a")).toBe(2);
    expect(await listFilePaths()).toEqual([]);
  });

  test("returns its error code for a missing path", async () => {
    await expect(files.remove("/non/existing/file")).rejects.toMatchObject({ code: 6000 });
    for (const work of ["moveFile", "copyFile", "renameFile"] as const)
      await expect(files[work]("/none", "whatever")).rejects.toMatchObject({ code: 6007 });
  });
});

describe("file paths", () => {
  test.each(["rename", "move", "copy", "permissions"])("may begin with the directory /%s", async (name) => {
    const paths = [`/${name}/before`, `/${name}/after`] as const;
    expect(await files.saveFile(name, "before", "1")).toBe(fileUrlOf(`${name}/before`));
    await files.appendText(name, "before", "2");
    expect(await files.renameFile(paths[0], "after")).toBe(fileUrlOf(`${name}/after`));
    expect([await files.exists(paths[0]), await files.exists(paths[1])]).toEqual([false, true]);
    expect(await files.moveFile(paths[1], paths[0])).toBe(fileUrlOf(`${name}/before`));
    expect(await files.copyFile(paths[0], paths[1])).toBe(fileUrlOf(`${name}/after`));
    expect([await readFileContent(`${name}/before`), await readFileContent(`${name}/after`)]).toEqual([
      "12",
      "12",
    ]);
    await files.Permissions.READ.grantForAllUsers(paths[1]);
    expect(await files.renameFile(name, "elsewhere")).toBe(fileUrlOf("elsewhere"));
    expect(await files.exists(name)).toBe(false);
  });

  test.each([
    ["spaces and commas", "a, b;c.txt"],
    ["quotes", `it's "quoted".txt`],
    ["percent signs", "100%41.txt"],
    ["characters with a meaning in URLs", "a#b?c&d=e+f.txt"],
    ["other scripts", "ĳsje-日本-قصة.txt"],
  ])("may contain %s", async (_what, name) => {
    const url = await files.saveFile("odd", name, name);
    expect(await (await fetch(url)).text()).toBe(name);
    expect(await listFileNames("odd")).toEqual([name.normalize("NFC")]);
    await files.remove(url).catch(() => {});
  });

  test("match regardless of Unicode normalization", async () => {
    await files.saveFile("forms", "u\u0308.txt", "1");
    expect(await files.exists("forms/\u00fc.txt")).toBe(true);
    await expect(files.saveFile("forms", "\u00fc.txt", "2")).rejects.toMatchObject({ code: 409 });
  });

  test.each([
    ["..%2F..%2Fetc%2Fpasswd"],
    ["a/.../b"],
    ["a%00b"],
    ["a%0Ab"],
    ["a%5Cb"],
    ["a%E2%80%AEb"],
    ["%20a"],
    ["a/b%20"],
    ["a".repeat(251)],
    [Array(33).fill("a").join("/")],
    ["append/x"],
    ["binary/x"],
  ])("may not be %.40s", async (path) => {
    const answer = await testApi.call("POST", `/${APP}/${SERVER}/files/${path}?x=1`);
    expect([answer.status, await listFilePaths()]).toEqual([422, []]);
  });

  test(
    "never cause an internal error",
    async () => {
      const part = fc.oneof(
        fc.webSegment(),
        fc.string({ maxLength: 40 }).map(encodeURIComponent),
        fc.constantFrom("..", "%2F", "%", "%ff", "%00", "binary", "append"),
      );
      const call = fc.record({
        method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
        path: fc.array(part, { maxLength: 4 }).map((parts) => parts.join("/")),
        query: fc.constantFrom("", "?action=exists", "?action=count&pattern=*&sub=true", "?overwrite=true"),
        body: fc.oneof(fc.constant(undefined), fc.jsonValue()),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 8, maxLength: 8 }), async (calls) => {
          const answers = calls.map(({ method, path, query, body }) =>
            fetch(`${testApi.origin()}/${APP}/${SERVER}/files/${path}${query}`, {
              method,
              ...(method !== "GET" &&
                body !== undefined && {
                  body: JSON.stringify(body),
                  headers: { "content-type": "application/json" },
                }),
            }),
          );
          for (const answer of await Promise.all(answers)) {
            await answer.text();
            expect(answer.status).toBeLessThan(500);
          }
        }),
        { numRuns: countCases(6, 200) },
      );
    },
    FUZZ_TIMEOUT,
  );
});
