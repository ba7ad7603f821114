import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { embeddedScene, postmasterOf, query } from "./test-scene.ts";
import { isAlive, workersIn } from "./processes.ts";

const { folder, start, startElsewhere, said } = embeddedScene();

describe("the embedded PostgreSQL", () => {
  test("makes a cluster on first use, and finds its rows again on the next", async () => {
    const dataDir = folder("fresh");
    const first = await start(dataDir);
    await query(first, "create table plants (name text)");
    await query(first, "insert into plants values ('sage')");
    await first.stop();
    const second = await start(dataDir);
    expect(await query(second, "select name from plants")).toEqual(["sage"]);
    expect(second).toMatchObject({ user: "kith", database: "kith", port: 5432, adopted: false });
    expect(second.version).toMatch(/^\d+\.\d+$/);
  });

  test("keeps what is acknowledged, unless it is told that this is a test", async () => {
    const durable = await start(folder("durable"), { durable: true });
    expect(
      await query(durable, "select setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')"),
    ).toEqual(["on", "on", "on"]);
    const forgetful = await start(folder("forgetful"));
    expect(await query(forgetful, "show fsync")).toEqual(["off"]);
  });

  test("takes settings, but listens on its socket only", async () => {
    const embedded = await start(folder("settings"), { settings: { max_connections: "33", listen_addresses: "*" } });
    expect(await query(embedded, "show max_connections")).toEqual(["33"]);
    expect(await query(embedded, "show listen_addresses")).toEqual([""]);
    expect(statSync(embedded.socketDir).mode & 0o777).toBe(0o700);
  });

  test("takes letters with accents for letters", async () => {
    const embedded = await start(folder("letters"));
    expect(await query(embedded, "select lower('ÉÖ') || (select count(*) from regexp_matches('é', '\\w'))")).toEqual(["éö1"]);
    expect(await query(embedded, "select datctype from pg_database where datname = 'kith'")).toEqual(["C.UTF-8"]);
  });

  test("lives in folders with spaces, quotes and very long names", async () => {
    const names = ["a folder with spaces, a comma and an 'apostrophe'", Array(4).fill("long".repeat(40)).join("/")];
    for (const name of names) {
      const embedded = await start(folder(name));
      expect(await query(embedded, "select 1")).toEqual([1]);
      await embedded.stop();
    }
  });

  test("leaves nothing behind that runs, nor its socket, nor its lock", async () => {
    const dataDir = folder("stopped");
    const embedded = await start(dataDir);
    const postmaster = postmasterOf(dataDir);
    await Promise.all([embedded.stop(), embedded.stop()]);
    expect(isAlive(postmaster)).toBe(false);
    expect(workersIn(join(dataDir, "cluster"))).toEqual([]);
    expect(existsSync(embedded.socketDir)).toBe(false);
    expect(existsSync(join(dataDir, "lock"))).toBe(false);
  });

  test("says nothing when all goes well, and logs no statement", async () => {
    const dataDir = folder("quiet");
    const embedded = await start(dataDir);
    await query(embedded, "select 'a secret'::int").catch(() => {});
    await embedded.stop();
    expect(said).toEqual([]);
    expect(readFileSync(join(dataDir, "postgres.log"), "utf8")).not.toContain("secret");
  });

  test("keeps its log small", async () => {
    const dataDir = folder("log");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "postgres.log"), "x".repeat(6 * 1024 * 1024));
    await start(dataDir);
    expect(statSync(join(dataDir, "postgres.log")).size).toBeLessThan(10_000);
    expect(statSync(join(dataDir, "postgres.log.1")).size).toBe(6 * 1024 * 1024);
  });
});

describe("a folder that cannot be used", () => {
  test("was made by another major version", async () => {
    const dataDir = folder("older");
    await (await start(dataDir)).stop();
    writeFileSync(join(dataDir, "cluster", "PG_VERSION"), "9\n");
    await expect(start(dataDir)).rejects.toMatchObject({ code: "version-mismatch", message: expect.stringContaining("PostgreSQL 9") });
  });

  test("holds other things", async () => {
    const dataDir = folder("foreign");
    mkdirSync(join(dataDir, "cluster"), { recursive: true });
    writeFileSync(join(dataDir, "cluster", "holiday.jpg"), "");
    await expect(start(dataDir)).rejects.toMatchObject({ code: "not-ours" });
    expect(existsSync(join(dataDir, "cluster", "holiday.jpg"))).toBe(true);
    expect(existsSync(join(dataDir, "lock"))).toBe(false);
  });

  test("is somebody's cluster, or no folder at all", async () => {
    const cluster = folder("cluster-itself");
    mkdirSync(cluster);
    writeFileSync(join(cluster, "PG_VERSION"), "18\n");
    await expect(start(cluster)).rejects.toMatchObject({ code: "not-ours" });
    const file = folder("file");
    writeFileSync(file, "");
    await expect(start(file)).rejects.toMatchObject({ code: "not-ours" });
  });

  test("is used by another process", async () => {
    const dataDir = folder("used");
    const other = await startElsewhere(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({ code: "locked", message: expect.stringContaining(`process ${other.pid}`) });
  });

  test("is used by this process", async () => {
    const dataDir = folder("twice");
    await start(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({ code: "locked" });
  });

  test("has no programs to go with it", async () => {
    await expect(start(folder("none"), { binaries: "/nowhere" })).rejects.toMatchObject({ code: "no-binaries" });
  });
});
