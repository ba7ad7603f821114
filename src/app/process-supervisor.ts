import { type ChildProcess, fork } from "node:child_process";
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECOND } from "#platform/clock";
import type { Log } from "#platform/log";

/** Environment variable with the folder of the processes' own sockets (`peer-sockets.ts`). */
export const PEER_FOLDER = "KITH_PEER_FOLDER";
/** Exit code of a process with a wrong configuration, which the operator must change. */
const MISCONFIGURED = 78;
/** Milliseconds before a process that exited unexpectedly is replaced, growing with each failure in a row. */
const RESTART_PAUSES = [0, SECOND, 5 * SECOND, 30 * SECOND];
/** Milliseconds after which a process counts as running well: its earlier failures no longer count. */
const STABLE_AFTER = 60 * SECOND;
/** Milliseconds within which a process must end after a signal. */
const STOP_TIMEOUT = 25 * SECOND;

type Options = {
  /** Number of web processes. */
  count: number;
  /** Module of the process that runs jobs; null if another installation runs them. */
  jobs: string | null;
  log: Log;
};

/** A web process could not start. Its own output contains the reason. */
export class ProcessStartError extends Error {
  override name = "ProcessStartError";
  readonly code: number;
  constructor(code: number) {
    super(`A web process ended with ${code} while it started.`);
    this.code = code;
  }
}

/**
 * Runs web processes that share a port, and one process for jobs. A process that exits unexpectedly is
 * replaced.
 */
export class ProcessSupervisor {
  readonly #options: Options;
  readonly #folder = mkdtempSync(join(tmpdir(), "kith-web-"));
  readonly #web = new Set<Worker>();
  #jobs: ChildProcess | null = null;
  #failures = 0;
  #restart: Promise<void> | null = null;
  #stopping = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Resolves when all web processes listen.
   * @throws `ProcessStartError` if one of them ends before that
   */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.count }, () => this.#startWeb()));
    this.#startJobs();
  }

  /**
   * Replaces the processes one after another, so that a new build, extensions or variables take effect while
   * other processes keep serving. Requests in progress are answered. If a new process cannot start, the
   * remaining processes are not replaced.
   */
  restart(): Promise<void> {
    this.#restart ??= this.#replaceAll().finally(() => (this.#restart = null));
    return this.#restart;
  }

  /** Ends all processes after they have answered the requests in progress. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...[...this.#web].map((it) => endProcess(it.process)), this.#endJobs()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #replaceAll(): Promise<void> {
    const before = Array.from(this.#web);
    for (const old of before) {
      if (this.#stopping) return;
      try {
        await this.#startWeb();
      } catch (error) {
        this.#options.log.error({ err: error }, "the restart was stopped: the remaining processes go on");
        return;
      }
      this.#web.delete(old);
      await endProcess(old.process);
    }
    await this.#endJobs();
    if (!this.#stopping) this.#startJobs();
  }

  async #startWeb(): Promise<void> {
    const worker = cluster.fork({ KITH_WORKER: "apart", [PEER_FOLDER]: this.#folder });
    const [event, code] = await Promise.race([
      once(worker, "listening").then(() => ["listening", 0] as const),
      once(worker, "exit").then(([exitCode]) => ["exit", Number(exitCode ?? 1)] as const),
    ]);
    if (event === "exit") throw new ProcessStartError(code);
    this.#web.add(worker);
    if (this.#stopping) return void (await endProcess(worker.process));
    const stable = setTimeout(() => (this.#failures = 0), STABLE_AFTER).unref();
    worker.once("exit", (exitCode, signal) => {
      clearTimeout(stable);
      if (this.#web.delete(worker)) this.#replace("web", { code: exitCode, signal }, () => this.#startWeb());
    });
  }

  #startJobs(): void {
    const { jobs } = this.#options;
    if (jobs === null || this.#stopping) return;
    const child = fork(jobs, { env: { ...process.env, KITH_WORKER: "apart" } });
    this.#jobs = child;
    child.once("exit", (code, signal) => {
      if (this.#jobs !== child) return;
      this.#jobs = null;
      this.#replace("jobs", { code, signal }, async () => this.#startJobs());
    });
  }

  async #endJobs(): Promise<void> {
    const child = this.#jobs;
    this.#jobs = null;
    if (child) await endProcess(child);
  }

  #replace(which: string, end: { code: number | null; signal: string | null }, start: () => Promise<void>) {
    if (this.#stopping) return;
    const pause = RESTART_PAUSES[Math.min(this.#failures++, RESTART_PAUSES.length - 1)]!;
    this.#options.log.error({ process: which, ...end, pause }, "a process ended and is replaced");
    setTimeout(() => {
      if (this.#stopping) return;
      start().catch((error: unknown) => {
        const code = error instanceof ProcessStartError ? error.code : 1;
        this.#replace(which, { code, signal: null }, start);
      });
    }, pause);
  }
}

/** Ends a process by a signal, and forcibly if it hangs. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT);
  await ended;
  clearTimeout(force);
}

/** True when the process's own output already explains what the operator has to change. */
export const isMisconfigured = (error: unknown): boolean =>
  error instanceof ProcessStartError && error.code === MISCONFIGURED;
