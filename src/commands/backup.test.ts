import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { buffer } from "node:stream/consumers";
import { setUpEmbeddedTests, queryServer } from "../../test/support/postgres/embedded-postgres.ts";
import { createBackup } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

const { folder, start, startElsewhere } = setUpEmbeddedTests();

async function run(command: typeof createBackup, dataDir: string, ...args: string[]) {
  const output: string[] = [];
  const code = await command(args, { KITH_DATA: dataDir }, (sentence) => output.push(sentence));
  return { code, output: output.join("\n") };
}

/** A data folder with a database that holds this many rows, a file and secrets. */
async function aKith(name: string, seeds = 3) {
  const dataDir = folder(name);
  const embedded = await start(dataDir);
  await queryServer(embedded, "create table seeds (n int primary key, words text)");
  await queryServer(
    embedded,
    `insert into seeds select n, repeat('x', 500) from generate_series(1, ${seeds}) n`,
  );
  mkdirSync(join(dataDir, "files", "ab"), { recursive: true });
  writeFileSync(join(dataDir, "files", "ab", "abcdef"), "bytes of a file");
  writeFileSync(join(dataDir, "secrets.json"), "{}", { mode: 0o600 });
  return { dataDir, embedded };
}

const zipIn = (path: string) =>
  join(
    path,
    readdirSync(path).find((it) => it.endsWith(".zip"))!,
  );
const backups = (path: string) => (existsSync(path) ? readdirSync(path) : []);

async function broughtBack(zip: string, name: string) {
  const dataDir = folder(name);
  const back = await run(restoreBackup, dataDir, zip);
  expect(back).toMatchObject({ code: 0, output: expect.stringContaining("Start Kith: npm start.") });
  return { dataDir, embedded: await start(dataDir) };
}

describe("backup", () => {
  test("can be made while Kith is running, and contains the database as of the end of the backup", async () => {
    const { dataDir, embedded } = await aKith("running", 2_000);
    let goesOn = true;
    let last = 2_000;
    const writing = (async () => {
      while (goesOn) await queryServer(embedded, `insert into seeds values (${++last}, repeat('y', 2000))`);
    })();
    const backupFolder = folder("kept");
    const result = await run(createBackup, dataDir, backupFolder);
    const atLeast = last - 1;
    goesOn = false;
    await writing;
    expect(result).toMatchObject({
      code: 0,
      output: expect.stringMatching(/\d+ files are in .*kith-\d{8}T\d{6}Z\.zip \([\d.]+ MB/),
    });
    expect(statSync(zipIn(backupFolder)).mode & 0o777).toBe(0o600);
    await embedded.stop();

    const again = await broughtBack(zipIn(backupFolder), "again");
    const [count] = await queryServer(again.embedded, "select count(*)::int from seeds");
    expect(count).toBeGreaterThan(2_000);
    expect(count).toBeLessThanOrEqual(atLeast + 1);
    // Rows are written one after the other, so the restored rows must have no gap.
    expect(await queryServer(again.embedded, "select max(n) = count(*) from seeds")).toEqual([true]);
    expect(await queryServer(again.embedded, "select count(*)::int from pg_replication_slots")).toEqual([0]);
    expect(readFileSync(join(again.dataDir, "files", "ab", "abcdef"), "utf8")).toBe("bytes of a file");
    expect(statSync(join(again.dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  test("can be made while Kith is stopped or was killed, even if its database still runs", async () => {
    const { dataDir, embedded } = await aKith("stopped");
    await embedded.stop();
    const backupFolder = folder("kept-stopped");
    expect(await run(createBackup, dataDir, backupFolder)).toMatchObject({ code: 0 });
    const again = await broughtBack(zipIn(backupFolder), "again-stopped");
    expect(await queryServer(again.embedded, "select count(*)::int from seeds")).toEqual([3]);

    const killed = await startElsewhere(dataDir);
    killed.kill("SIGKILL");
    await new Promise((gone) => killed.once("exit", gone));
    const left = folder("kept-left");
    expect(await run(createBackup, dataDir, left)).toMatchObject({ code: 0 });
    const after = await broughtBack(zipIn(left), "again-left");
    expect(await queryServer(after.embedded, "select count(*)::int from seeds")).toEqual([3]);
  });

  test("deletes only the oldest backups above the number to keep", async () => {
    const { dataDir, embedded } = await aKith("thinned");
    await embedded.stop();
    const backupFolder = folder("kept-thinned");
    mkdirSync(backupFolder);
    for (const name of ["kith-20200101T000000Z.zip", "kith-20210101T000000Z.zip", "notes.zip"])
      writeFileSync(join(backupFolder, name), "");
    const result = await run(createBackup, dataDir, backupFolder, "--keep", "2");
    expect(result.output).toContain("Removed: kith-20200101T000000Z.zip.");
    expect(backups(backupFolder).toSorted()).toEqual([
      expect.stringMatching(/^kith-2021/),
      expect.stringMatching(/^kith-2\d+T\d+Z\.zip$/),
      "notes.zip",
    ]);
  });

  test("fails inside the data folder, and for a data folder without a database", async () => {
    const dataDir = folder("empty");
    mkdirSync(dataDir);
    const backupFolder = folder("kept-empty");
    expect(await run(createBackup, dataDir, backupFolder)).toEqual({
      code: 1,
      output: expect.stringContaining("There is no database in"),
    });
    expect(await run(createBackup, dataDir, join(dataDir, "backups"))).toEqual({
      code: 1,
      output: expect.stringContaining("is inside the data folder"),
    });
    expect(backups(backupFolder)).toEqual([]);
    for (const args of [
      [],
      [backupFolder, "--keep", "0"],
      [backupFolder, "--keep", "all"],
      [backupFolder, backupFolder],
      [backupFolder, "--of"],
    ])
      expect(await run(createBackup, dataDir, ...args)).toMatchObject({ code: 64 });
  });

  test("with an external database contains everything else, and reports the omission", async () => {
    const { dataDir, embedded } = await aKith("elsewhere");
    await embedded.stop();
    const backupFolder = folder("kept-elsewhere");
    const output: string[] = [];
    const variables = { KITH_DATA: dataDir, DATABASE_URL: "postgres://kith@localhost/kith" };
    expect(await createBackup([backupFolder], variables, (it) => output.push(it))).toBe(0);
    expect(output.join("\n")).toContain("It does not contain the database of DATABASE_URL");
    const again = folder("again-elsewhere");
    expect(await run(restoreBackup, again, zipIn(backupFolder))).toMatchObject({
      code: 0,
      output: expect.stringContaining("Load your pg_dump file"),
    });
    expect(readdirSync(again).toSorted()).toEqual(["files", "secrets.json"]);
  });
});

describe("restore", () => {
  test("refuses a folder that is not empty, and changes nothing in it", async () => {
    const { dataDir, embedded } = await aKith("full");
    await embedded.stop();
    const backupFolder = folder("kept-full");
    await run(createBackup, dataDir, backupFolder);
    const before = readdirSync(dataDir).toSorted();
    expect(await run(restoreBackup, dataDir, zipIn(backupFolder))).toEqual({
      code: 1,
      output: expect.stringContaining("is not empty"),
    });
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
  });

  test("explains what is wrong with a broken backup, and leaves nothing behind", async () => {
    const { dataDir, embedded } = await aKith("damaged");
    await embedded.stop();
    const backupFolder = folder("kept-damaged");
    await run(createBackup, dataDir, backupFolder);
    const whole = zipIn(backupFolder);
    const refused = async (path: string, why: string) => {
      const target = folder("target");
      expect(await run(restoreBackup, target, path)).toEqual({
        code: 1,
        output: expect.stringContaining(why),
      });
      expect(backups(target)).toEqual([]);
    };

    const cut = join(backupFolder, "cut.zip");
    cpSync(whole, cut);
    truncateSync(cut, statSync(cut).size - 100);
    await refused(cut, "may be incomplete");

    const bent = readFileSync(whole);
    const named = "files/ab/abcdef";
    bent.write("?", bent.indexOf(named) + named.length + 4);
    writeFileSync(join(backupFolder, "bent.zip"), bent);
    const target = folder("target-bent");
    expect(await run(restoreBackup, target, join(backupFolder, "bent.zip"))).toEqual({
      code: 1,
      output: expect.stringMatching(/damaged|cannot be read/),
    });
    expect(backups(target)).toEqual([]);

    const other = new ZipFile();
    other.addBuffer(Buffer.from("{}"), "community.ndjson");
    other.end();
    writeFileSync(join(backupFolder, "other.zip"), await buffer(other.outputStream));
    await refused(join(backupFolder, "other.zip"), "This is not a backup of Kith");
    await refused(join(backupFolder, "nowhere.zip"), "There is no");
    expect(await run(restoreBackup, dataDir)).toMatchObject({ code: 64 });
  });

  test("refuses a database of another PostgreSQL version, or with an external server configured", async () => {
    const zip = new ZipFile();
    const manifest = { form: 1, madeAt: "2026-01-01T00:00:00.000Z", kith: "0.1.0", postgresql: 12 };
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), "kith-backup.json");
    zip.end();
    const path = folder("old");
    mkdirSync(path);
    writeFileSync(join(path, "old.zip"), await buffer(zip.outputStream));
    const target = folder("target-old");
    expect(await run(restoreBackup, target, join(path, "old.zip"))).toEqual({
      code: 1,
      output: expect.stringContaining("created by PostgreSQL 12"),
    });
    const output: string[] = [];
    const variables = { KITH_DATA: target, DATABASE_URL: "postgres://kith@localhost/kith" };
    expect(await restoreBackup([join(path, "old.zip")], variables, (it) => output.push(it))).toBe(1);
    expect(output.join("")).toContain("Unset DATABASE_URL");
    expect(backups(target)).toEqual([]);
  });
});
