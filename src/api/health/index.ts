import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { pendingMigrations } from "#platform/database";
import { isSameSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";

type Options = {
  pool: pg.Pool;
  migrations: string;
  draining: () => boolean;
  live: () => number;
  metrics: MetricsAccess;
};

/**
 * The token for `/metrics`, and whether a proxy forwards requests: then all of them come from its address.
 */
type MetricsAccess = { token: string | null; behindProxy: boolean };

/**
 * `/healthz` answers while the process runs, `/readyz` when it can serve; `/metrics` on the local machine and
 * with the token.
 */
export function serveHealth(server: FastifyInstance, { pool, migrations, draining, live, metrics }: Options) {
  server.get("/healthz", async () => ({ status: "alive" }));
  server.get("/readyz", async (_request, reply) => {
    const wrong = draining() ? "draining" : await findReadinessProblem(pool, migrations);
    if (wrong === null) return { status: "ready" };
    return reply.code(503).header("retry-after", "5").send({ status: wrong });
  });
  server.get("/metrics", async (request, reply) => {
    if (!isLocalRequest(request, metrics) && !hasMetricsToken(request, metrics)) {
      if (metrics.token === null) throw new Refusal("not-found", "There is no page at this address.");
      reply.header("www-authenticate", "Bearer");
      throw new Refusal("not-signed-in", "Metrics need the token in KITH_METRICS_TOKEN.");
    }
    return reply.type("text/plain; version=0.0.4").send(formatMetrics(pool, live()));
  });
}

/** Headers by which proxies name the original client. */
const PROXY_HEADERS =
  /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.+|fastly-client-ip)$/;

/** Whether a request was made on this machine. Behind a local proxy every request would look like that. */
function isLocalRequest({ socket, headers }: FastifyRequest, { behindProxy }: MetricsAccess): boolean {
  if (behindProxy || Object.keys(headers).some((name) => PROXY_HEADERS.test(name))) return false;
  return /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "");
}

function hasMetricsToken({ headers }: FastifyRequest, { token }: MetricsAccess): boolean {
  const shown = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? "")?.[1];
  return token !== null && shown !== undefined && isSameSecret(token, shown);
}

async function findReadinessProblem(pool: pg.Pool, migrations: string): Promise<string | null> {
  try {
    return (await pendingMigrations(pool, migrations)).length > 0 ? "migrations are pending" : null;
  } catch {
    return "the database cannot be reached";
  }
}

function formatMetrics(pool: pg.Pool, live: number): string {
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
