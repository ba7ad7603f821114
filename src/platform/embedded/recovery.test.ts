import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { embeddedScene, eventually, postmasterOf, query } from "./test-scene.ts";
import { isAlive, signal } from "./processes.ts";

const { folder, start, startElsewhere, said } = embeddedScene();

const kill = async (child: { pid: number; kill: (name: NodeJS.Signals) => boolean; once: (what: "exit", then: () => void) => unknown }) => {
  const gone = new Promise<void>((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
};

describe("when Node is killed", () => {
  test("the next start takes over the PostgreSQL that lives on, supervises it and stops it", async () => {
    const dataDir = folder("orphan");
    await kill(await startElsewhere(dataDir));
    const orphan = postmasterOf(dataDir);
    expect(isAlive(orphan)).toBe(true);
    const embedded = await start(dataDir);
    expect(embedded.adopted).toBe(true);
    expect(postmasterOf(dataDir)).toBe(orphan);
    expect(await query(embedded, "select 1")).toEqual([1]);
    await embedded.stop();
    expect(isAlive(orphan)).toBe(false);
  });

  test("and the socket has been cleared away, PostgreSQL is started anew", async () => {
    const dataDir = folder("no-socket");
    await kill(await startElsewhere(dataDir));
    const orphan = postmasterOf(dataDir);
    rmSync(readFileSync(join(dataDir, "cluster", "postmaster.pid"), "utf8").split("\n")[4]!, { recursive: true });
    const embedded = await start(dataDir);
    expect(embedded.adopted).toBe(false);
    expect(isAlive(orphan)).toBe(false);
    expect(await query(embedded, "select 1")).toEqual([1]);
  });

  test("and PostgreSQL is still shutting down, the next start waits for that", async () => {
    const dataDir = folder("stopping");
    await kill(await startElsewhere(dataDir));
    signal(postmasterOf(dataDir), "SIGINT");
    const embedded = await start(dataDir);
    expect(await query(embedded, "select 1")).toEqual([1]);
  });

  test("and PostgreSQL with it, the next start recovers", async () => {
    const dataDir = folder("both");
    const child = await startElsewhere(dataDir);
    const postmaster = postmasterOf(dataDir);
    signal(postmaster, "SIGKILL");
    await kill(child);
    const embedded = await start(dataDir);
    expect(embedded.adopted).toBe(false);
    expect(await query(embedded, "select 1")).toEqual([1]);
  });
});

describe("when PostgreSQL is killed", () => {
  test("it comes back by itself, at the same place, with all that was committed", async () => {
    const dataDir = folder("killed");
    const embedded = await start(dataDir, { durable: true });
    const heard: string[] = [];
    embedded.onExit((why) => heard.push(why));
    await query(embedded, "create table plants (name text)");
    await query(embedded, "insert into plants values ('sage'), ('thyme')");
    signal(postmasterOf(dataDir), "SIGKILL");
    expect(await eventually(() => query(embedded, "select name from plants where pg_postmaster_start_time() is not null"))).toEqual([
      "sage",
      "thyme",
    ]);
    await eventually(async () => expect(heard).toHaveLength(1));
    await eventually(async () => expect(said).toContain("PostgreSQL is back."));
    await embedded.stop();
    expect(isAlive(postmasterOfOrNone(dataDir))).toBe(false);
  });

  test("in the middle of a long statement, what is left of it does not hold up the return", async () => {
    const dataDir = folder("busy");
    const embedded = await start(dataDir);
    // It computes and never looks up: such a one does not notice that its postmaster is gone.
    const busy = query(embedded, "select count(*) from generate_series(1, 2000000000)").catch(() => "cut off");
    await eventually(async () =>
      expect(
        await query(embedded, "select count(*)::int from pg_stat_activity where query like '%2000000000)' and state = 'active'"),
      ).not.toEqual([0]),
    );
    signal(postmasterOf(dataDir), "SIGKILL");
    expect(await busy).toBe("cut off");
    expect(await eventually(() => query(embedded, "select 1"))).toEqual([1]);
  });

  test("stopping in the middle of its return leaves nothing running", async () => {
    const dataDir = folder("stopped-in-return");
    const embedded = await start(dataDir);
    const returning = new Promise<void>((resolve) => embedded.onExit(() => resolve()));
    signal(postmasterOf(dataDir), "SIGKILL");
    await returning;
    await embedded.stop();
    expect(isAlive(postmasterOfOrNone(dataDir))).toBe(false);
    expect(await query(await start(dataDir), "select 1")).toEqual([1]);
  });
});

describe("a pid file that lies", () => {
  test("names a process that has nothing to do with PostgreSQL: it is left alone", async () => {
    const dataDir = folder("reused");
    await (await start(dataDir)).stop();
    const bystander = spawn("sleep", ["60"]);
    writeFileSync(
      join(dataDir, "cluster", "postmaster.pid"),
      `${bystander.pid}\n${dataDir}/cluster\n1\n5432\n/tmp/nowhere\n\n1 1\nready   \n`,
    );
    const embedded = await start(dataDir);
    expect(await query(embedded, "select 1")).toEqual([1]);
    expect(isAlive(bystander.pid!)).toBe(true);
    bystander.kill("SIGKILL");
  });

  test("names nobody", async () => {
    const dataDir = folder("stale");
    await (await start(dataDir)).stop();
    writeFileSync(join(dataDir, "cluster", "postmaster.pid"), `4194300\n${dataDir}/cluster\n1\n5432\n/tmp/nowhere\n\n1 1\nready   \n`);
    expect(await query(await start(dataDir), "select 1")).toEqual([1]);
  });

  test("a start that was interrupted while it made the cluster is begun anew", async () => {
    const dataDir = folder("half-made");
    mkdirSync(join(dataDir, "cluster.new-abc", "base"), { recursive: true });
    expect(await query(await start(dataDir), "select 1")).toEqual([1]);
    expect(readdirSync(dataDir).toSorted()).toEqual(["cluster", "lock", "postgres.log"]);
  });
});

const postmasterOfOrNone = (dataDir: string) => {
  try {
    return postmasterOf(dataDir);
  } catch {
    return 4_194_300;
  }
};
