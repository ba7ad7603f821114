import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { APP, CLIENT } from "../../../../test/support/rest/rest-server.ts";
import {
  readFileContent,
  database,
  testApi,
  files,
  fetchFile,
  listFileNames,
  listFilePaths,
  createFileStream,
  fileUrlOf,
} from "../../../../test/support/rest/files-api.ts";

describe("file", () => {
  test.each([
    ["text", "the seeds are in"],
    ["nothing", ""],
    ["all kinds of characters", "über 😀\u0000\n"],
    ["bytes", Buffer.from([0, 255, 128, 10, 13, 61])],
    ["many bytes", Buffer.alloc(1_000_001, "seeds")],
  ])("with %s round-trips unchanged", async (_what, content) => {
    expect(await files.saveFile("seeds/2026", "beans.txt", content as never)).toBe(
      fileUrlOf("seeds/2026/beans.txt"),
    );
    expect(Buffer.from(await (await fetchFile("seeds/2026/beans.txt")).arrayBuffer())).toEqual(
      Buffer.from(content),
    );
    expect(await listFilePaths()).toEqual(["/seeds/", "/seeds/2026/", "/seeds/2026/beans.txt"]);
  });

  test.each(["constructor", "a.constructor", "toString", "notes.__proto__"])(
    "named %s is served as plain text",
    async (name) => {
      await files.saveFile("names", name, "the seeds are in");
      const answer = await fetchFile(`names/${name}`);
      expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
        200,
        "text/plain; charset=utf-8",
        "the seeds are in",
      ]);
    },
  );

  test("can be uploaded as a stream under a given name or its original name", async () => {
    expect(await files.upload(createFileStream("a.txt", "one"), "in/b.txt")).toEqual({
      fileURL: fileUrlOf("in/b.txt"),
    });
    expect(await files.upload(createFileStream("c.txt", "two"), "in")).toEqual({
      fileURL: fileUrlOf("in/c.txt"),
    });
    expect([await readFileContent("in/b.txt"), await readFileContent("in/c.txt")]).toEqual(["one", "two"]);
  });

  test("overwrites only when requested", async () => {
    for (const name of ["it", "it.txt"]) await files.saveFile("d", name, "old");
    for (const overwrite of [undefined, false]) {
      await expect(files.saveFile("d", "it", "new", overwrite)).rejects.toMatchObject({ code: 409 });
      await expect(
        files.upload(createFileStream("it.txt", "new"), "d/it.txt", overwrite),
      ).rejects.toMatchObject({ code: 409 });
    }
    await files.saveFile("d", "it", "newer", true);
    await files.upload(createFileStream("it.txt", "newest"), "d/it.txt", true);
    expect([await readFileContent("d/it"), await readFileContent("d/it.txt")]).toEqual(["newer", "newest"]);
  });

  test("can be appended with bytes, text and streams at the same URL", async () => {
    const url = fileUrlOf("log/l.txt");
    expect(await files.append("log", "l.txt", Buffer.from("one ") as never)).toBe(url);
    expect(await files.append("log/l.txt", [0x74, 0x77, 0x6f, 0x20] as never)).toBe(url);
    expect(await files.appendText("log", "l.txt", '{"three": "drei ü"} ')).toBe(url);
    expect(await files.appendText("log/l.txt", "")).toBe(url);
    expect(await files.append("log", "l.txt", createFileStream("x", "four"))).toEqual({ fileURL: url });
    expect(await readFileContent("log/l.txt")).toBe('one two {"three": "drei ü"} four');
  });

  test("loses nothing under concurrent appends", async () => {
    const words = Array.from({ length: 120 }, (_, n) => `<${n}>`);
    await Promise.all(words.map((word) => files.appendText("log", "busy", word)));
    const text = await readFileContent("log/busy");
    expect(text.match(/<\d+>/g)!.toSorted()).toEqual(words.toSorted());
    const parts = async () => (await many(database.db, sql`select 1 from api_file_parts`)).length;
    await expect.poll(parts).toBeLessThan(25);
    expect(await (await fetchFile("log/busy", { range: "bytes=3-9" })).text()).toBe(text.slice(3, 10));
  });

  test("with many appends is stored in few parts", async () => {
    for (let length = 40; length > 0; length--) await files.appendText("log", "shorter", "x".repeat(length));
    expect((await many(database.db, sql`select 1 from api_file_parts`)).length).toBeLessThanOrEqual(16);
    expect(await readFileContent("log/shorter")).toBe("x".repeat(820));
  });

  test("can be fetched and appended from a URL", async () => {
    const away = createServer((request, answer) => {
      if (request.url === "/moved") return answer.writeHead(302, { location: "/seeds.txt" }).end();
      if (request.url === "/none.txt") return answer.writeHead(404).end("none");
      if (request.url === "/half.txt")
        return answer.writeHead(200, { "content-length": "100" }).write("half") && answer.destroy();
      return answer.end("from afar");
    });
    await new Promise<void>((listening) => away.listen(0, "127.0.0.1", listening));
    const at = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    expect(await files.upload(`${at}/seeds.txt`, "got")).toEqual({ fileURL: fileUrlOf("got/seeds.txt") });
    await files.upload(`${at}/moved`, "got/m.txt");
    await files.append("got", "m.txt", `${at}/seeds.txt` as never);
    expect(await readFileContent("got/m.txt")).toBe("from afarfrom afar");
    for (const wrong of [
      `${at}/none.txt`,
      `${at}/half.txt`,
      "http://10.0.0.1/x.txt",
      "file:///etc/passwd.txt",
      "seeds.txt",
    ])
      await expect(files.upload(wrong, "wrong/w.txt")).rejects.toMatchObject({
        code: 422,
        body: { errorData: { fields: { url: expect.any(String) } } },
      });
    expect(await files.exists("wrong")).toBe(false);
    away.closeAllConnections();
    await new Promise((closed) => away.close(closed));
  });
});

describe("file URL without application id and key", () => {
  test("finds files, and the response contains the same URL", async () => {
    await files.Permissions.WRITE.grantForAllUsers("/");
    const at = `${testApi.origin()}/api/files/d/it.txt`;
    const answer = await fetch(`${testApi.origin()}/api/files/binary/d/it.txt`, {
      method: "PUT",
      body: "c2VlZHM=",
      headers: { "content-type": "text/plain" },
    });
    expect([await answer.json(), await (await fetch(at)).text()]).toEqual([at, "seeds"]);
  });
});

describe("directory", () => {
  beforeEach(async () => {
    for (const path of ["index.html", "users.html", "logo.png", "subdir/one-more.html"]) {
      const [name, ...up] = path.split("/").toReversed();
      await files.saveFile(["listing", ...up].join("/"), name!, "x");
    }
  });

  test("lists directories first, then by name", async () => {
    expect(await files.listing("listing")).toEqual(
      ["subdir", "index.html", "logo.png", "users.html"].map((name) => ({
        name,
        createdOn: database.clock.at.getTime(),
        updatedOn: database.clock.at.getTime(),
        publicUrl: fileUrlOf(`listing/${name}`),
        url: `listing/${name}`,
        size: name === "subdir" ? 0 : 1,
      })),
    );
    expect(await listFileNames("/")).toEqual(["listing"]);
  });

  test.each<[unknown[], string[]]>([
    [["*.html"], ["index.html", "users.html"]],
    [
      ["*.html", true],
      ["index.html", "one-more.html", "users.html"],
    ],
    [["?ogo.*"], ["logo.png"]],
    [["*_*"], []],
    [["%"], []],
    [
      [null, true, 3, 1],
      ["index.html", "logo.png", "one-more.html"],
    ],
    [[null, false, 2, 3], ["users.html"]],
    [["*", true, 0, 0], []],
    [["*", true, 10, 99], []],
  ])("lists with filters: %j", async (asked, expected) =>
    expect(await listFileNames("listing", ...asked)).toEqual(expected),
  );

  test("lists in a requested order", async () => {
    await files.appendText("listing", "logo.png", "more");
    const sorted = async (by: string) =>
      (await testApi.call("GET", `/${APP}/${CLIENT}/files/listing?sortBy=${by}`)).body as unknown as {
        name: string;
      }[];
    expect((await sorted("size%20desc")).map(({ name }) => name)).toEqual([
      "logo.png",
      "index.html",
      "users.html",
      "subdir",
    ]);
    expect((await sorted("name")).map(({ name }) => name)).toEqual([
      "index.html",
      "logo.png",
      "subdir",
      "users.html",
    ]);
  });

  test("returns the number of its entries", async () => {
    expect(await files.getFileCount("listing")).toBe(3);
    expect(await files.getFileCount("listing", "*", true)).toBe(4);
    expect(await files.getFileCount("listing", "*", true, true)).toBe(5);
    expect(await files.getFileCount("listing", "*.html", true)).toBe(3);
    expect(await files.getFileCount("/", "*", true)).toBe(4);
  });

  test("has an existence check, like a file", async () => {
    await files.createDirectory("/empty/inner/");
    await files.createDirectory("empty");
    const paths = [
      "empty/inner",
      "empty",
      "listing/subdir/one-more.html",
      "/",
      "listing/none",
      "nothing/at/all",
      "listing/index.html/x",
    ];
    expect(await Promise.all(paths.map((path) => files.exists(path)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    await expect(files.listing("nothing")).rejects.toMatchObject({ code: 6000 });
    await expect(files.getFileCount("listing/logo.png")).rejects.toMatchObject({ code: 422 });
    await expect(files.createDirectory("listing/logo.png")).rejects.toMatchObject({ code: 409 });
    await expect(files.saveFile("listing", "subdir", "x", true)).rejects.toMatchObject({ code: 409 });
    await expect(files.saveFile("listing/logo.png", "below", "x", true)).rejects.toMatchObject({ code: 409 });
  });

  test.each([
    ["pagesize=1001"],
    ["pagesize=-1"],
    ["pagesize=many"],
    ["offset=1e3"],
    ["sub=perhaps"],
    ["sortBy=owner"],
    ["pattern=a&pattern=b"],
    [`pattern=${"a".repeat(251)}`],
    ["action=count&countDirectories=2"],
  ])("refuses a listing with %s", async (query) => {
    expect((await testApi.call("GET", `/${APP}/${CLIENT}/files/listing?${query}`)).status).toBe(422);
  });
});
