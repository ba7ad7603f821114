import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { migrate, pendingMigrations } from "./index.ts";

const database = await testDatabase();

describe("migrations", () => {
  let folder: string;
  let own: pg.ClientConfig;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "kith-migrations-"));
    await database.pool.query("drop schema if exists apart cascade; create schema apart");
    own = { ...database.connection, options: "-c search_path=apart" };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const apply = () => migrate(own, folder, () => {});

  test("run once, in the order of their names", async () => {
    write("0002_b.sql", "alter table things add column note text");
    write("0001_a.sql", "create table things (id int)");
    expect(await apply()).toEqual(["0001_a.sql", "0002_b.sql"]);
    expect(await apply()).toEqual([]);
  });

  test("roll back when they fail, without affecting earlier ones", async () => {
    write("0001_a.sql", "create table things (id int)");
    write("0002_b.sql", "create table halves (id int); select no_such_function()");
    await expect(apply()).rejects.toThrow(/0002_b\.sql failed: .*no_such_function/);
    const { rows } = await database.pool.query(
      "select table_name from information_schema.tables where table_schema = 'apart' order by 1",
    );
    expect(rows.map((row: { table_name: string }) => row.table_name)).toEqual(["migrations", "things"]);
  });

  test("name an applied file in the error when it was edited later", async () => {
    write("0001_a.sql", "create table things (id int)");
    await apply();
    write("0001_a.sql", "create table things (id bigint)");
    await expect(apply()).rejects.toThrow("0001_a.sql was edited after it was applied");
  });

  test("reject a database with migrations that this version does not contain", async () => {
    write("0001_a.sql", "create table things (id int)");
    write("0009_later.sql", "select 1");
    await apply();
    rmSync(join(folder, "0009_later.sql"));
    await expect(apply()).rejects.toThrow("this version of Kith does not know it");
  });

  test("reject a database of an earlier version and explain the export and import", async () => {
    write("0001_outbox_mails_settings.sql", "create table things (id int)");
    write("0001_foundation.sql", "create table halves (id int)");
    await apply().catch(() => {});
    await expect(apply()).rejects.toThrow(
      /Export the community with that version .* import it into an empty database/,
    );
  });

  test("run once when two processes start concurrently", async () => {
    write("0001_a.sql", "create table things (id int); select pg_sleep(0.05)");
    const [one, two] = await Promise.all([apply(), apply()]);
    expect([...one, ...two]).toEqual(["0001_a.sql"]);
  });

  test("list pending ones for the readiness check", async () => {
    write("0001_a.sql", "create table things (id int)");
    await apply();
    write("0002_b.sql", "select 1");
    const pool = new pg.Pool({ ...own, max: 1 });
    expect(await pendingMigrations(pool, folder)).toEqual(["0002_b.sql"]);
    await pool.end();
  });
});
