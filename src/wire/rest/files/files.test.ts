import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, type RestDoor, SERVER } from "../rest.fixture.ts";

const database = await testDatabase();
let door: RestDoor;
let files: ReturnType<RestDoor["sdk"]>["Files"];
const disk = mkdtempSync(join(tmpdir(), "kith-sent-"));
beforeAll(async () => {
  door = await openDoor(database);
  files = door.sdk(SERVER).Files;
});
beforeEach(() => door.forget());
afterAll(async () => {
  await door.close();
  rmSync(disk, { recursive: true });
});

const urlOf = (path: string) => `${door.origin()}/${APP}/${CLIENT}/files/${path}`;
const get = (path: string, headers: Record<string, string> = {}) => fetch(urlOf(path), { headers });
const contentOf = async (path: string) => (await get(path)).text();
const names = async (path: string, ...more: unknown[]) =>
  ((await (files.listing as (...all: unknown[]) => Promise<unknown>)(path, ...more)) as { name: string }[]).map(({ name }) => name);
const streamOf = (name: string, content: string | Buffer) => {
  writeFileSync(join(disk, name), content);
  return createReadStream(join(disk, name)) as never;
};
const paths = async () =>
  (
    await many(
      database.db,
      sql<{ path: string }>`
        with recursive t as (
          select id, kind, '/' || name as path from program_files where parent_id is null
          union all select f.id, f.kind, t.path || '/' || f.name from t join program_files f on f.parent_id = t.id)
        select path || case kind when 'directory' then '/' else '' end as path from t order by path`,
    )
  ).map(({ path }) => path);

describe("a file", () => {
  test.each([
    ["text", "the seeds are in"],
    ["nothing", ""],
    ["signs of every kind", "über 😀\u0000\n"],
    ["bytes", Buffer.from([0, 255, 128, 10, 13, 61])],
    ["many bytes", Buffer.alloc(1_000_001, "seeds")],
  ])("of %s is saved, and comes back as it was", async (_what, content) => {
    expect(await files.saveFile("seeds/2026", "beans.txt", content as never)).toBe(urlOf("seeds/2026/beans.txt"));
    expect(Buffer.from(await (await get("seeds/2026/beans.txt")).arrayBuffer())).toEqual(Buffer.from(content));
    expect(await paths()).toEqual(["/seeds/", "/seeds/2026/", "/seeds/2026/beans.txt"]);
  });

  test("is uploaded as a stream under a name that is given, or its own", async () => {
    expect(await files.upload(streamOf("a.txt", "one"), "in/b.txt")).toEqual({ fileURL: urlOf("in/b.txt") });
    expect(await files.upload(streamOf("c.txt", "two"), "in")).toEqual({ fileURL: urlOf("in/c.txt") });
    expect([await contentOf("in/b.txt"), await contentOf("in/c.txt")]).toEqual(["one", "two"]);
  });

  test("is replaced only by who says so", async () => {
    for (const name of ["it", "it.txt"]) await files.saveFile("d", name, "old");
    for (const overwrite of [undefined, false]) {
      await expect(files.saveFile("d", "it", "new", overwrite)).rejects.toMatchObject({ code: 409 });
      await expect(files.upload(streamOf("it.txt", "new"), "d/it.txt", overwrite)).rejects.toMatchObject({ code: 409 });
    }
    await files.saveFile("d", "it", "newer", true);
    await files.upload(streamOf("it.txt", "newest"), "d/it.txt", true);
    expect([await contentOf("d/it"), await contentOf("d/it.txt")]).toEqual(["newer", "newest"]);
  });

  test("grows by bytes, text and streams, and keeps its address", async () => {
    const url = urlOf("log/l.txt");
    expect(await files.append("log", "l.txt", Buffer.from("one ") as never)).toBe(url);
    expect(await files.append("log/l.txt", [0x74, 0x77, 0x6f, 0x20] as never)).toBe(url);
    expect(await files.appendText("log", "l.txt", '{"three": "drei ü"} ')).toBe(url);
    expect(await files.appendText("log/l.txt", "")).toBe(url);
    expect(await files.append("log", "l.txt", streamOf("x", "four"))).toEqual({ fileURL: url });
    expect(await contentOf("log/l.txt")).toBe('one two {"three": "drei ü"} four');
  });

  test("that is added to by many at once loses nothing, and has few parts", async () => {
    const words = Array.from({ length: 120 }, (_, n) => `<${n}>`);
    await Promise.all(words.map((word) => files.appendText("log", "busy", word)));
    const text = await contentOf("log/busy");
    expect(text.match(/<\d+>/g)!.toSorted()).toEqual(words.toSorted());
    const parts = await many(database.db, sql`select 1 from program_file_parts`);
    expect(parts.length).toBeLessThan(25);
    expect(await (await get("log/busy", { range: "bytes=3-9" })).text()).toBe(text.slice(3, 10));
  });

  test("is fetched from an address, and added from one", async () => {
    const away = createServer((request, answer) => {
      if (request.url === "/moved") return answer.writeHead(302, { location: "/seeds.txt" }).end();
      if (request.url === "/none.txt") return answer.writeHead(404).end("none");
      if (request.url === "/half.txt") return answer.writeHead(200, { "content-length": "100" }).write("half") && answer.destroy();
      return answer.end("from afar");
    });
    await new Promise<void>((listening) => away.listen(0, "127.0.0.1", listening));
    const at = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    expect(await files.upload(`${at}/seeds.txt`, "got")).toEqual({ fileURL: urlOf("got/seeds.txt") });
    await files.upload(`${at}/moved`, "got/m.txt");
    await files.append("got", "m.txt", `${at}/seeds.txt` as never);
    expect(await contentOf("got/m.txt")).toBe("from afarfrom afar");
    for (const wrong of [`${at}/none.txt`, `${at}/half.txt`, "http://10.0.0.1/x.txt", "file:///etc/passwd.txt", "seeds.txt"])
      await expect(files.upload(wrong, "wrong/w.txt")).rejects.toMatchObject({
        code: 422,
        body: { errorData: { fields: { url: expect.any(String) } } },
      });
    expect(await files.exists("wrong")).toBe(false);
    away.closeAllConnections();
    await new Promise((closed) => away.close(closed));
  });
});

describe("by the address of the house alone", () => {
  test("files are found as well, and bear that address", async () => {
    await files.Permissions.WRITE.grantForAllUsers("/");
    const at = `${door.origin()}/api/files/d/it.txt`;
    const answer = await fetch(`${door.origin()}/api/files/binary/d/it.txt`, {
      method: "PUT",
      body: "c2VlZHM=",
      headers: { "content-type": "text/plain" },
    });
    expect([await answer.json(), await (await fetch(at)).text()]).toEqual([at, "seeds"]);
  });
});

describe("a directory", () => {
  beforeEach(async () => {
    for (const path of ["index.html", "users.html", "logo.png", "subdir/one-more.html"]) {
      const [name, ...up] = path.split("/").toReversed();
      await files.saveFile(["listing", ...up].join("/"), name!, "x");
    }
  });

  test("tells what is in it: directories first, then by name", async () => {
    expect(await files.listing("listing")).toEqual(
      ["subdir", "index.html", "logo.png", "users.html"].map((name) => ({
        name,
        createdOn: database.clock.at.getTime(),
        updatedOn: database.clock.at.getTime(),
        publicUrl: urlOf(`listing/${name}`),
        url: `listing/${name}`,
        size: name === "subdir" ? 0 : 1,
      })),
    );
    expect(await names("/")).toEqual(["listing"]);
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
  ])("tells of some: %j", async (asked, expected) => expect(await names("listing", ...asked)).toEqual(expected));

  test("tells them in another order where that is wanted", async () => {
    await files.appendText("listing", "logo.png", "more");
    const sorted = async (by: string) =>
      (await door.call("GET", `/${APP}/${CLIENT}/files/listing?sortBy=${by}`)).body as unknown as { name: string }[];
    expect((await sorted("size%20desc")).map(({ name }) => name)).toEqual(["logo.png", "index.html", "users.html", "subdir"]);
    expect((await sorted("name")).map(({ name }) => name)).toEqual(["index.html", "logo.png", "subdir", "users.html"]);
  });

  test("says how many there are", async () => {
    expect(await files.getFileCount("listing")).toBe(3);
    expect(await files.getFileCount("listing", "*", true)).toBe(4);
    expect(await files.getFileCount("listing", "*", true, true)).toBe(5);
    expect(await files.getFileCount("listing", "*.html", true)).toBe(3);
    expect(await files.getFileCount("/", "*", true)).toBe(4);
  });

  test("is there, as a file is, or is not", async () => {
    await files.createDirectory("/empty/inner/");
    await files.createDirectory("empty");
    const asked = ["empty/inner", "empty", "listing/subdir/one-more.html", "/", "listing/none", "nothing/at/all", "listing/index.html/x"];
    expect(await Promise.all(asked.map((path) => files.exists(path)))).toEqual([true, true, true, true, false, false, false]);
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
  ])("cannot be asked for %s", async (query) => {
    expect((await door.call("GET", `/${APP}/${CLIENT}/files/listing?${query}`)).status).toBe(422);
  });
});

describe("what is elsewhere afterwards", () => {
  beforeEach(async () => {
    await files.saveFile("a", "one.txt", "1");
    await files.saveFile("a/deep", "two.txt", "2");
  });

  test("is renamed: a file, and a directory with all that is in it", async () => {
    expect(await files.renameFile("a/one.txt", "uno.txt")).toBe(urlOf("a/uno.txt"));
    expect(await files.renameFile("/a/deep", "tief")).toBe(urlOf("a/tief"));
    expect(await paths()).toEqual(["/a/", "/a/tief/", "/a/tief/two.txt", "/a/uno.txt"]);
    await expect(files.renameFile("a/tief", "uno.txt")).rejects.toMatchObject({ code: 409 });
    await expect(files.renameFile("a/tief", "../b")).rejects.toMatchObject({ code: 422 });
  });

  test("is moved, under a name or into a directory that is there", async () => {
    expect(await files.moveFile("a/one.txt", "b/c/uno.txt")).toBe(urlOf("b/c/uno.txt"));
    expect(await files.moveFile("a/deep", "b")).toBe(urlOf("b/deep"));
    expect(await paths()).toEqual(["/a/", "/b/", "/b/c/", "/b/c/uno.txt", "/b/deep/", "/b/deep/two.txt"]);
    await expect(files.moveFile("b", "b/c/d")).rejects.toMatchObject({ code: 409 });
    await expect(files.moveFile("b/c", "b/c")).rejects.toMatchObject({ code: 409 });
    await expect(files.moveFile("b", "b/c/uno.txt/x")).rejects.toMatchObject({ code: 409 });
  });

  test("is copied, and then each is its own", async () => {
    expect(await files.copyFile("a", "b")).toBe(urlOf("b"));
    expect(await files.copyFile("a/one.txt", "b/deep")).toBe(urlOf("b/deep/one.txt"));
    await files.appendText("b", "one.txt", "+");
    await files.remove("a");
    expect(await paths()).toEqual(["/b/", "/b/deep/", "/b/deep/one.txt", "/b/deep/two.txt", "/b/one.txt"]);
    expect([await contentOf("b/one.txt"), await contentOf("b/deep/one.txt"), await contentOf("b/deep/two.txt")]).toEqual(["1+", "1", "2"]);
    await expect(files.copyFile("b", "b/again")).rejects.toMatchObject({ code: 409 });
  });

  test("is removed by its path or its address, a directory with all that is in it", async () => {
    expect(await files.remove(`/a/deep/two.txt`)).toBe(1);
    // Addresses are public: they bear the public key, so that whoever removes by one stands for themselves.
    await expect(door.sdk().Files.remove(urlOf("a/one.txt"))).rejects.toMatchObject({ code: 403 });
    expect(await files.remove(urlOf("a/one.txt").replace(CLIENT, SERVER))).toBe(1);
    expect(await files.removeDirectory("a")).toBe(2);
    expect(await paths()).toEqual([]);
  });

  test("is said by its number where it is not there", async () => {
    await expect(files.remove("/non/existing/file")).rejects.toMatchObject({ code: 6000 });
    for (const work of ["moveFile", "copyFile", "renameFile"] as const)
      await expect(files[work]("/none", "whatever")).rejects.toMatchObject({ code: 6007 });
  });
});

describe("paths", () => {
  test.each([
    ["spaces and commas", "a, b;c.txt"],
    ["quotes", `it's "quoted".txt`],
    ["percent signs", "100%41.txt"],
    ["signs that mean something in addresses", "a#b?c&d=e+f.txt"],
    ["other scripts", "ĳsje-日本-قصة.txt"],
  ])("may hold %s", async (_what, name) => {
    const url = await files.saveFile("odd", name, name);
    expect(await (await fetch(url)).text()).toBe(name);
    expect(await names("odd")).toEqual([name.normalize("NFC")]);
    await files.remove(url).catch(() => {});
  });

  test("are one however their letters are put together", async () => {
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
    ["permissions"],
    ["append/x"],
  ])("are not %.40s", async (path) => {
    const answer = await door.call("POST", `/${APP}/${SERVER}/files/${path}?x=1`);
    expect([answer.status, await paths()]).toEqual([422, []]);
  });

  test("whatever they are, are answered or refused", async () => {
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
          fetch(`${door.origin()}/${APP}/${SERVER}/files/${path}${query}`, {
            method,
            ...(method !== "GET" && body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
          }),
        );
        for (const answer of await Promise.all(answers)) {
          await answer.text();
          expect(answer.status).toBeLessThan(500);
        }
      }),
      { numRuns: 6 },
    );
  }, 60_000);
});
