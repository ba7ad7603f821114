import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findSystemAccount } from "./system-accounts.ts";
import { toEmbeddedFailure } from "./embedded-failure.ts";
import { lockFolder } from "./folder-lock.ts";
import { socketFolder } from "./socket-folder.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "kith-parts-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("error advice of embedded PostgreSQL", () => {
  test.each([
    ["initdb: error: could not write to file: No space left on device", "disk-full"],
    ['FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10', "disk-full"],
    ["FATAL:  could not create lock file: Read-only file system", "read-only"],
    ["EACCES: permission denied, mkdir '/data'", "read-only"],
    ["LOG:  starting\nFATAL:  could not map anonymous shared memory", "cannot-start"],
  ])("names a remedy for %s", (logText, code) => {
    expect(toEmbeddedFailure(logText, "/data")).toMatchObject({ code, advice: expect.stringMatching(/\.$/) });
  });

  test("quotes only the fatal line of the log", () => {
    const logText = "2026 LOG:  starting\n2026 FATAL:  the reason\n2026 LOG:  database system is shut down\n";
    expect(toEmbeddedFailure(logText, "/data").message).toBe("PostgreSQL does not start: the reason");
  });
});

describe("data folder lock", () => {
  const content = () => readFileSync(join(folder, "lock"), "utf8");

  test("can be taken once and released", () => {
    const release = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(/Another Kith/);
    release();
    lockFolder(folder)();
  });

  test("can be taken over from a dead process, even if its process id was reused", () => {
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 4_194_300, process: "boot/1" }));
    lockFolder(folder)();
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, process: "boot/1" }));
    lockFolder(folder);
    expect(JSON.parse(content())).toMatchObject({ pid: process.pid });
  });

  test("counts as taken while another process is still writing the lock file", () => {
    writeFileSync(join(folder, "lock"), "");
    expect(() => lockFolder(folder)).toThrow(/just starting/);
  });

  test("cannot be released by a process that no longer holds it", () => {
    const release = lockFolder(folder);
    writeFileSync(join(folder, "lock"), "another's");
    release();
    expect(content()).toBe("another's");
  });
});

describe("socket folder", () => {
  const me = { uid: process.getuid!(), gid: process.getgid!() };

  test("has a short private path that depends only on the data folder", () => {
    const path = socketFolder(folder, me);
    expect(socketFolder(folder, me)).toBe(path);
    expect(Buffer.byteLength(`${path}/.s.PGSQL.5432`)).toBeLessThanOrEqual(103);
    rmSync(path, { recursive: true });
  });

  test("gets another path when its path is a symbolic link", () => {
    const path = socketFolder(folder, me);
    rmSync(path, { recursive: true });
    mkdirSync(join(folder, "trap"));
    symlinkSync(join(folder, "trap"), path);
    const instead = socketFolder(folder, me);
    expect(instead).not.toBe(path);
    rmSync(path);
    rmSync(instead, { recursive: true });
  });
});

test("PostgreSQL under root runs as the first service account that the system has", () => {
  const passwd = "root:x:0:0::/root:/bin/sh\nnobody:*:-2:-2::/:/bin/false\n";
  expect(findSystemAccount(["postgres", "nobody"], passwd)).toEqual({
    uid: 4_294_967_294,
    gid: 4_294_967_294,
  });
  expect(findSystemAccount(["postgres"], passwd)).toEqual({ uid: 65_534, gid: 65_534 });
});
