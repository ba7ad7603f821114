import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * Returns the path of this machine's nginx; null when there is none. Tests that need nginx are then skipped.
 */
export function findNginx(): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "nginx")).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts nginx with `http` as its http block, and resolves when `port` answers. */
export async function startNginx(
  program: string,
  http: string,
  port: number,
): Promise<{ stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "kith-nginx-"));
  // When root starts nginx, its workers switch by default to a user who cannot write to this folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `${user} daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log stderr warn;
     events { worker_connections 64; }
     http { access_log off; ${paths.join(" ")}\n${http}\n}`,
  );
  const child = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  await waitUntilAnswering(port, child, () => errors);
  return {
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function waitUntilAnswering(port: number, child: ChildProcess, errors: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors()}`);
    const answers = await new Promise<boolean>((found) => {
      const probe = connect(port, "127.0.0.1", () => (probe.destroy(), found(true)));
      probe.once("error", () => found(false));
    });
    if (answers) return;
    await new Promise((soon) => setTimeout(soon, 20));
  }
}
