import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  setUpEmbeddedTests,
  retryUntilSuccess,
  readTestPostmasterPid,
  queryServer,
} from "../../../test/support/postgres/embedded-postgres.ts";
import { isProcessAlive, sendSignal } from "./processes.ts";

const { folder, start, startElsewhere, output } = setUpEmbeddedTests();

const kill = async (child: {
  pid: number;
  kill: (name: NodeJS.Signals) => boolean;
  once: (what: "exit", then: () => void) => unknown;
}) => {
  const exited = new Promise<void>((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
};

describe("embedded PostgreSQL after Node was killed", () => {
  test("gets adopted by the next start, which can also stop it", async () => {
    const dataDir = folder("orphan");
    await kill(await startElsewhere(dataDir));
    const orphan = readTestPostmasterPid(dataDir);
    expect(isProcessAlive(orphan)).toBe(true);
    const embedded = await start(dataDir);
    expect(embedded.adopted).toBe(true);
    expect(readTestPostmasterPid(dataDir)).toBe(orphan);
    expect(await queryServer(embedded, "select 1")).toEqual([1]);
    await embedded.stop();
    expect(isProcessAlive(orphan)).toBe(false);
  });

  test("gets restarted when its socket has been removed", async () => {
    const dataDir = folder("no-socket");
    await kill(await startElsewhere(dataDir));
    const orphan = readTestPostmasterPid(dataDir);
    rmSync(readFileSync(join(dataDir, "cluster", "postmaster.pid"), "utf8").split("\n")[4]!, {
      recursive: true,
    });
    const embedded = await start(dataDir);
    expect(embedded.adopted).toBe(false);
    expect(isProcessAlive(orphan)).toBe(false);
    expect(await queryServer(embedded, "select 1")).toEqual([1]);
  });

  test("delays the next start while it is shutting down", async () => {
    const dataDir = folder("stopping");
    await kill(await startElsewhere(dataDir));
    sendSignal(readTestPostmasterPid(dataDir), "SIGINT");
    const embedded = await start(dataDir);
    expect(await queryServer(embedded, "select 1")).toEqual([1]);
  });

  test("recovers at the next start if PostgreSQL was killed too", async () => {
    const dataDir = folder("both");
    const child = await startElsewhere(dataDir);
    const postmaster = readTestPostmasterPid(dataDir);
    sendSignal(postmaster, "SIGKILL");
    await kill(child);
    const embedded = await start(dataDir);
    expect(embedded.adopted).toBe(false);
    expect(await queryServer(embedded, "select 1")).toEqual([1]);
  });
});

describe("killed PostgreSQL", () => {
  test("restarts automatically at the same address with all committed data", async () => {
    const dataDir = folder("killed");
    const embedded = await start(dataDir, { durable: true });
    const exits: string[] = [];
    embedded.onExit((why) => exits.push(why));
    await queryServer(embedded, "create table plants (name text)");
    await queryServer(embedded, "insert into plants values ('sage'), ('thyme')");
    sendSignal(readTestPostmasterPid(dataDir), "SIGKILL");
    expect(
      await retryUntilSuccess(() =>
        queryServer(embedded, "select name from plants where pg_postmaster_start_time() is not null"),
      ),
    ).toEqual(["sage", "thyme"]);
    await retryUntilSuccess(async () => expect(exits).toHaveLength(1));
    await retryUntilSuccess(async () => expect(output).toContain("PostgreSQL is running again."));
    await embedded.stop();
    expect(isProcessAlive(postmasterOfOrNone(dataDir))).toBe(false);
  });

  test("restarts although a long statement is still running", async () => {
    const dataDir = folder("busy");
    const embedded = await start(dataDir);
    // The query only computes, so its backend does not notice that the postmaster has ended.
    const busy = queryServer(embedded, "select count(*) from generate_series(1, 2000000000)").catch(
      () => "cut off",
    );
    await retryUntilSuccess(async () =>
      expect(
        await queryServer(
          embedded,
          "select count(*)::int from pg_stat_activity where query like '%2000000000)' and state = 'active'",
        ),
      ).not.toEqual([0]),
    );
    sendSignal(readTestPostmasterPid(dataDir), "SIGKILL");
    expect(await busy).toBe("cut off");
    expect(await retryUntilSuccess(() => queryServer(embedded, "select 1"))).toEqual([1]);
  });

  test("leaves no process when it is stopped during the restart", async () => {
    const dataDir = folder("stopped-in-return");
    const embedded = await start(dataDir);
    const returning = new Promise<void>((resolve) => embedded.onExit(() => resolve()));
    sendSignal(readTestPostmasterPid(dataDir), "SIGKILL");
    await returning;
    await embedded.stop();
    expect(isProcessAlive(postmasterOfOrNone(dataDir))).toBe(false);
    expect(await queryServer(await start(dataDir), "select 1")).toEqual([1]);
  });
});

describe("leftovers of a crash", () => {
  test("with a reused process id do not affect the new process with that id", async () => {
    const dataDir = folder("reused");
    await (await start(dataDir)).stop();
    const bystander = spawn("sleep", ["60"]);
    writeFileSync(
      join(dataDir, "cluster", "postmaster.pid"),
      `${bystander.pid}\n${dataDir}/cluster\n1\n5432\n/tmp/nowhere\n\n1 1\nready   \n`,
    );
    const embedded = await start(dataDir);
    expect(await queryServer(embedded, "select 1")).toEqual([1]);
    expect(isProcessAlive(bystander.pid!)).toBe(true);
    bystander.kill("SIGKILL");
  });

  test("with an unused process id do not prevent a start", async () => {
    const dataDir = folder("stale");
    await (await start(dataDir)).stop();
    writeFileSync(
      join(dataDir, "cluster", "postmaster.pid"),
      `4194300\n${dataDir}/cluster\n1\n5432\n/tmp/nowhere\n\n1 1\nready   \n`,
    );
    expect(await queryServer(await start(dataDir), "select 1")).toEqual([1]);
  });

  test("from an unfinished cluster creation are replaced by a new cluster", async () => {
    const dataDir = folder("half-made");
    mkdirSync(join(dataDir, "cluster.new-abc", "base"), { recursive: true });
    expect(await queryServer(await start(dataDir), "select 1")).toEqual([1]);
    expect(readdirSync(dataDir).toSorted()).toEqual(["cluster", "lock", "postgres.log"]);
  });
});

const postmasterOfOrNone = (dataDir: string) => {
  try {
    return readTestPostmasterPid(dataDir);
  } catch {
    return 4_194_300;
  }
};
