import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { pendingMigrations } from "#platform/database";
import { Refusal } from "#platform/refusal";

type Options = { pool: pg.Pool; migrations: string; draining: () => boolean; live: () => number };

/** `/healthz` answers while the process lives, `/readyz` when it can serve; `/metrics` for this machine alone. */
export function serveHealth(server: FastifyInstance, { pool, migrations, draining, live }: Options) {
  server.get("/healthz", async () => ({ status: "alive" }));
  server.get("/readyz", async (_request, reply) => {
    const wrong = draining() ? "draining" : await whatIsMissing(pool, migrations);
    if (wrong === null) return { status: "ready" };
    return reply.code(503).header("retry-after", "5").send({ status: wrong });
  });
  server.get("/metrics", async (request, reply) => {
    if (!/^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? "") || request.headers["x-forwarded-for"])
      throw new Refusal("not-found", "There is nothing at this address.");
    return reply.type("text/plain; version=0.0.4").send(metricsOf(pool, live()));
  });
}

async function whatIsMissing(pool: pg.Pool, migrations: string): Promise<string | null> {
  try {
    return (await pendingMigrations(pool, migrations)).length > 0 ? "migrations are pending" : null;
  } catch {
    return "the database cannot be reached";
  }
}

function metricsOf(pool: pg.Pool, live: number): string {
  const { rss, heapUsed } = process.memoryUsage();
  const cpu = process.cpuUsage();
  const lines: [string, string, number][] = [
    ["process_resident_memory_bytes", "gauge", rss],
    ["nodejs_heap_used_bytes", "gauge", heapUsed],
    ["process_cpu_seconds_total", "counter", (cpu.user + cpu.system) / 1e6],
    ["process_uptime_seconds", "gauge", process.uptime()],
    ["kith_database_connections", "gauge", pool.totalCount],
    ["kith_database_waiting", "gauge", pool.waitingCount],
    ["kith_live_lines", "gauge", live],
  ];
  return lines.map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}\n`).join("");
}
