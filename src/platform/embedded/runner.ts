import { type SpawnOptions, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { type Account, SERVICE_ACCOUNTS, accountNamed } from "./accounts.ts";
import { EmbeddedFailure } from "./failure.ts";

/**
 * How programs of PostgreSQL are run. They refuse to run as root, so root needs a detour:
 * - `directly`: we are an ordinary user.
 * - `namespace`: in a user namespace they believe to be somebody else, while all files stay ours.
 * - `user`: as another user, who owns the cluster.
 */
export type Runner = {
  how: "directly" | "namespace" | "user";
  binaries: string;
  /** Who owns the cluster and the socket's folder. */
  owner: Account;
};

export type Program = { file: string; args: string[]; options: SpawnOptions };

/** The call of one of PostgreSQL's programs, or of `/bin/sh` to try something out as the one who will run them. */
export function programOf(runner: Runner, program: "initdb" | "postgres" | "sh", args: string[]): Program {
  const file = program === "sh" ? "/bin/sh" : join(runner.binaries, program);
  // Not our environment: it may hold secrets. The working directory may be one that the other user cannot enter.
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  if (runner.how === "namespace") {
    const { uid, gid } = accountNamed(SERVICE_ACCOUNTS);
    return {
      file: "unshare",
      args: ["--user", `--map-user=${uid}`, `--map-group=${gid}`, "--", file, ...args],
      options: { cwd: "/", env },
    };
  }
  const as = runner.how === "user" ? { uid: runner.owner.uid, gid: runner.owner.gid } : {};
  return { file, args, options: { cwd: "/", env, ...as } };
}

/** What may work, best first. The owner of an existing cluster decides; another one could not read it. */
export function runnersFor(binaries: string, cluster: string): Runner[] {
  const me = { uid: process.getuid!(), gid: process.getgid!() };
  const directly: Runner = { how: "directly", binaries, owner: me };
  const namespace: Runner = { how: "namespace", binaries, owner: me };
  // initdb wants a name for the user who runs it. A container may run us under a bare number.
  if (me.uid !== 0) return hasName() ? [directly] : [namespace, directly];
  const { uid, gid } = statSync(cluster, { throwIfNoEntry: false }) ?? statSync(dirname(cluster));
  if (uid !== 0) return [{ how: "user", binaries, owner: { uid, gid } }];
  return [namespace, { how: "user", binaries, owner: accountNamed(SERVICE_ACCOUNTS) }];
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

export type Trial = { runner: Runner; version: string | null; enters: boolean; said: string };

/** One process tells all that has to be known: does it run, which version is it, can it enter the folder of the data? */
export function tryOut(runner: Runner, folder: string): Trial {
  const script = 'test -x "$1" && echo enters; exec "$2" --version';
  const { file, args, options } = programOf(runner, "sh", ["-c", script, "sh", folder, join(runner.binaries, "postgres")]);
  const { stdout, stderr, error } = spawnSync(file, args, { ...options, encoding: "utf8" });
  const version = /\(PostgreSQL\) (\d+\S*)/.exec(stdout ?? "")?.[1] ?? null;
  return { runner, version, enters: /^enters$/m.test(stdout ?? ""), said: (error?.message ?? stderr ?? "").trim() };
}

export const majorOf = (version: string) => Number.parseInt(version, 10);

export const noBinaries = (said: string) =>
  new EmbeddedFailure(
    "no-binaries",
    said ? `The embedded PostgreSQL cannot be run here: ${said}` : "There is no embedded PostgreSQL for this platform.",
    "Let DATABASE_URL name a PostgreSQL server of version 15 or later.",
  );
