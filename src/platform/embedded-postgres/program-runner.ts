import { type SpawnOptions, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { type SystemAccount, SERVICE_ACCOUNTS, findSystemAccount } from "./system-accounts.ts";
import { EmbeddedFailure } from "./embedded-failure.ts";

/**
 * How PostgreSQL's programs are run. They refuse to run as root, so a Kith that runs as root uses one of the
 * last two:
 * - `directly`: Kith runs as an ordinary user.
 * - `namespace`: in a user namespace the programs see another user, while all files still belong to us.
 * - `user`: as another user, who owns the cluster.
 */
export type ProgramRunner = {
  how: "directly" | "namespace" | "user";
  binaries: string;
  /** Owner of the cluster and of the socket's folder. */
  owner: SystemAccount;
};

export type ProgramCall = { file: string; args: string[]; options: SpawnOptions };

/**
 * Builds the call of a PostgreSQL program, or of `/bin/sh` to test what the user who runs the programs can
 * do.
 */
export function programCall(
  runner: ProgramRunner,
  program: "initdb" | "postgres" | "sh",
  args: string[],
): ProgramCall {
  const file = program === "sh" ? "/bin/sh" : join(runner.binaries, program);
  // The program does not get our environment, which may hold secrets, nor our working directory, which the
  // other user may not be able to enter.
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  if (runner.how === "namespace") {
    const { uid, gid } = findSystemAccount(SERVICE_ACCOUNTS);
    return {
      file: "unshare",
      args: ["--user", `--map-user=${uid}`, `--map-group=${gid}`, "--", file, ...args],
      options: { cwd: "/", env },
    };
  }
  const as = runner.how === "user" ? { uid: runner.owner.uid, gid: runner.owner.gid } : {};
  return { file, args, options: { cwd: "/", env, ...as } };
}

/**
 * Lists the possible runners, best first. For an existing cluster its owner decides, because another user
 * could not read it.
 */
export function listRunners(binaries: string, cluster: string): ProgramRunner[] {
  const me = { uid: process.getuid!(), gid: process.getgid!() };
  const directly: ProgramRunner = { how: "directly", binaries, owner: me };
  const namespace: ProgramRunner = { how: "namespace", binaries, owner: me };
  // initdb needs a user name, and a container may run us under a uid that has none.
  if (me.uid !== 0) return hasUserName() ? [directly] : [namespace, directly];
  const { uid, gid } = statSync(cluster, { throwIfNoEntry: false }) ?? statSync(dirname(cluster));
  if (uid !== 0) return [{ how: "user", binaries, owner: { uid, gid } }];
  return [namespace, { how: "user", binaries, owner: findSystemAccount(SERVICE_ACCOUNTS) }];
}

function hasUserName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

export type RunnerTrial = { runner: ProgramRunner; version: string | null; enters: boolean; output: string };

/** Tests a runner in one process: does the program run, which version is it, can it enter the data folder? */
export function tryRunner(runner: ProgramRunner, folder: string): RunnerTrial {
  const script = 'test -x "$1" && echo enters; exec "$2" --version';
  const { file, args, options } = programCall(runner, "sh", [
    "-c",
    script,
    "sh",
    folder,
    join(runner.binaries, "postgres"),
  ]);
  const { stdout, stderr, error } = spawnSync(file, args, { ...options, encoding: "utf8" });
  const version = /\(PostgreSQL\) (\d+\S*)/.exec(stdout ?? "")?.[1] ?? null;
  return {
    runner,
    version,
    enters: /^enters$/m.test(stdout ?? ""),
    output: (error?.message ?? stderr ?? "").trim(),
  };
}

export const majorVersion = (version: string) => Number.parseInt(version, 10);

export const noBinariesFailure = (output: string) =>
  new EmbeddedFailure(
    "no-binaries",
    output
      ? `The embedded PostgreSQL cannot be run here: ${output}`
      : "There is no embedded PostgreSQL for this platform.",
    "Set DATABASE_URL to a PostgreSQL server of version 15 or later.",
  );
