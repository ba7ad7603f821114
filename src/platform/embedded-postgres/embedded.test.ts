import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  setUpEmbeddedTests,
  readTestPostmasterPid,
  queryServer,
} from "../../../test/support/postgres/embedded-postgres.ts";
import { isProcessAlive, listPostgresProcesses } from "./processes.ts";

const { folder, start, startElsewhere, output } = setUpEmbeddedTests();

describe("embedded PostgreSQL", () => {
  test("creates a cluster on first use, and still has the rows on the next start", async () => {
    const dataDir = folder("fresh");
    const first = await start(dataDir);
    await queryServer(first, "create table plants (name text)");
    await queryServer(first, "insert into plants values ('sage')");
    await first.stop();
    const second = await start(dataDir);
    expect(await queryServer(second, "select name from plants")).toEqual(["sage"]);
    expect(second).toMatchObject({ user: "kith", database: "kith", port: 5432, adopted: false });
    expect(second.version).toMatch(/^\d+\.\d+$/);
  });

  test("flushes commits to disk, except when started for a test", async () => {
    const durable = await start(folder("durable"), { durable: true });
    expect(
      await queryServer(
        durable,
        "select setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')",
      ),
    ).toEqual(["on", "on", "on"]);
    const forgetful = await start(folder("forgetful"));
    expect(await queryServer(forgetful, "show fsync")).toEqual(["off"]);
  });

  test("accepts settings, but listens on its socket only", async () => {
    const embedded = await start(folder("settings"), {
      settings: { max_connections: "33", listen_addresses: "*" },
    });
    expect(await queryServer(embedded, "show max_connections")).toEqual(["33"]);
    expect(await queryServer(embedded, "show listen_addresses")).toEqual([""]);
    expect(statSync(embedded.socketDir).mode & 0o777).toBe(0o700);
  });

  test("handles accented letters in lower() and regular expressions", async () => {
    const embedded = await start(folder("letters"));
    expect(
      await queryServer(embedded, "select lower('ÉÖ') || (select count(*) from regexp_matches('é', '\\w'))"),
    ).toEqual(["éö1"]);
    expect(await queryServer(embedded, "select datctype from pg_database where datname = 'kith'")).toEqual([
      "C.UTF-8",
    ]);
  });

  test("works in folders with spaces, quotes and very long names", async () => {
    const names = [
      "a folder with spaces, a comma and an 'apostrophe'",
      Array(4).fill("long".repeat(40)).join("/"),
    ];
    for (const name of names) {
      const embedded = await start(folder(name));
      expect(await queryServer(embedded, "select 1")).toEqual([1]);
      await embedded.stop();
    }
  });

  test("leaves no process, socket or lock behind", async () => {
    const dataDir = folder("stopped");
    const embedded = await start(dataDir);
    const postmaster = readTestPostmasterPid(dataDir);
    await Promise.all([embedded.stop(), embedded.stop()]);
    expect(isProcessAlive(postmaster)).toBe(false);
    expect(listPostgresProcesses(join(dataDir, "cluster"))).toEqual([]);
    expect(existsSync(embedded.socketDir)).toBe(false);
    expect(existsSync(join(dataDir, "lock"))).toBe(false);
  });

  test("stays silent on success and logs no statement", async () => {
    const dataDir = folder("quiet");
    const embedded = await start(dataDir);
    await queryServer(embedded, "select 'a secret'::int").catch(() => {});
    await embedded.stop();
    expect(output).toEqual([]);
    expect(readFileSync(join(dataDir, "postgres.log"), "utf8")).not.toContain("secret");
  });

  test("limits the size of its log", async () => {
    const dataDir = folder("log");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "postgres.log"), "x".repeat(6 * 1024 * 1024));
    await start(dataDir);
    expect(statSync(join(dataDir, "postgres.log")).size).toBeLessThan(10_000);
    expect(statSync(join(dataDir, "postgres.log.1")).size).toBe(6 * 1024 * 1024);
  });
});

describe("unusable data folder", () => {
  test("created by another major version is rejected", async () => {
    const dataDir = folder("older");
    await (await start(dataDir)).stop();
    writeFileSync(join(dataDir, "cluster", "PG_VERSION"), "9\n");
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "version-mismatch",
      message: expect.stringContaining("PostgreSQL 9"),
    });
  });

  test("with other files in it is rejected", async () => {
    const dataDir = folder("foreign");
    mkdirSync(join(dataDir, "cluster"), { recursive: true });
    writeFileSync(join(dataDir, "cluster", "holiday.jpg"), "");
    await expect(start(dataDir)).rejects.toMatchObject({ code: "not-ours" });
    expect(existsSync(join(dataDir, "cluster", "holiday.jpg"))).toBe(true);
    expect(existsSync(join(dataDir, "lock"))).toBe(false);
  });

  test("gets rejected if it holds another cluster or is a file", async () => {
    const cluster = folder("cluster-itself");
    mkdirSync(cluster);
    writeFileSync(join(cluster, "PG_VERSION"), "18\n");
    await expect(start(cluster)).rejects.toMatchObject({ code: "not-ours" });
    const file = folder("file");
    writeFileSync(file, "");
    await expect(start(file)).rejects.toMatchObject({ code: "not-ours" });
  });

  test("used by another process is rejected", async () => {
    const dataDir = folder("used");
    const other = await startElsewhere(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "locked",
      message: expect.stringContaining(`process ${other.pid}`),
    });
  });

  test("used by this process is rejected", async () => {
    const dataDir = folder("twice");
    await start(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({ code: "locked" });
  });

  test("without PostgreSQL binaries gets rejected", async () => {
    await expect(start(folder("none"), { binaries: "/nowhere" })).rejects.toMatchObject({
      code: "no-binaries",
    });
  });
});
