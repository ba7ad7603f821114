import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { pendingMigrations } from "#platform/database";
import { isSameSecret } from "#platform/ids";
import { parseTrustedJson } from "#platform/json";
import { entriesOf } from "#platform/objects";
import { Refusal } from "#platform/refusal";
import type { CacheStatistics, TaggedCache } from "#platform/tagged-cache";
import type { Measurements } from "#platform/telemetry";

type Options = {
  pool: pg.Pool;
  migrations: string;
  draining: () => boolean;
  live: () => number;
  caches: Record<CacheName, Pick<TaggedCache<never>, "statistics">>;
  metrics: MetricsAccess;
  /**
   * The other web processes of this machine, whose metrics are part of `/metrics`; null or missing when
   * there is only one process.
   */
  peers?: { prefix: string; askOthers: (path: string) => Promise<Map<string, string>> } | null;
};

/**
 * Path at which the web processes of this machine request each other's metrics. It answers only requests
 * over their own sockets, which have no remote address.
 */
const OWN_METRICS = "/metrics/own";

/**
 * `token`: bearer token for `/metrics`. `behindProxy`: a proxy forwards all requests, so that the remote
 * address is always the proxy's.
 */
type MetricsAccess = { token: string | null; behindProxy: boolean };

/**
 * Serves `/healthz` (200 while the process runs), `/readyz` (200 when it can serve requests) and `/metrics`
 * (for requests from this machine or with the token). Returns the figures of `/metrics`.
 */
export function serveHealth(
  server: FastifyInstance,
  { pool, migrations, draining, live, caches, metrics, peers = null }: Options,
): Measurements {
  const measure = () => ({ ...readMetrics(pool, live()), ...readCacheMetrics(caches) });
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
    const own = measure();
    if (!peers) return reply.type(METRICS_TYPE).send(formatMetrics(new Map([["", own]])));
    const others = [...(await peers.askOthers(OWN_METRICS))];
    const all = new Map(others.map(([number, text]) => [number, parseTrustedJson<Metrics>(text)]));
    return reply.type(METRICS_TYPE).send(formatMetrics(all.set(peers.prefix.slice(0, -1), own)));
  });
  if (peers)
    server.get(OWN_METRICS, async ({ socket }) => {
      if (socket.remoteAddress !== undefined)
        throw new Refusal("not-found", "There is no page at this address.");
      return measure();
    });
  return { types: METRIC_TYPES, measure };
}

/** Headers by which proxies name the original client. */
const PROXY_HEADERS =
  /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.+|fastly-client-ip)$/;

/**
 * Whether a request was made on this machine. Requests through a proxy never count: a local proxy would make
 * every request look local.
 */
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

const METRICS_TYPE = "text/plain; version=0.0.4";
const METRICS = {
  process_resident_memory_bytes: "gauge",
  nodejs_heap_used_bytes: "gauge",
  process_cpu_seconds_total: "counter",
  process_uptime_seconds: "gauge",
  kith_database_connections: "gauge",
  kith_database_waiting: "gauge",
  kith_live_lines: "gauge",
} as const;
const CACHES = ["guest_pages", "shared_posts", "markup"] as const;
type CacheName = (typeof CACHES)[number];
const CACHE_METRICS = {
  hits: "counter",
  misses: "counter",
  evictions: "counter",
  bytes: "gauge",
} as const satisfies Record<keyof CacheStatistics, string>;
const CACHE_METRIC_TYPES = Object.fromEntries(
  CACHES.flatMap((cache) =>
    Object.entries(CACHE_METRICS).map(([figure, type]) => [cacheMetric(cache, figure, type), type]),
  ),
);
const METRIC_TYPES: Record<string, string> = { ...METRICS, ...CACHE_METRIC_TYPES };
type Metrics = Record<string, number>;

function cacheMetric(cache: CacheName, figure: string, type: string): string {
  return `kith_${cache}_${figure}${type === "counter" ? "_total" : ""}`;
}

const readCacheMetrics = (caches: Options["caches"]): Metrics =>
  Object.fromEntries(
    CACHES.flatMap((cache) =>
      entriesOf(caches[cache].statistics).map(([figure, value]) => [
        cacheMetric(cache, figure, CACHE_METRICS[figure]),
        value,
      ]),
    ),
  );

function readMetrics(pool: pg.Pool, live: number): Record<keyof typeof METRICS, number> {
  const { rss, heapUsed } = process.memoryUsage();
  const cpu = process.cpuUsage();
  return {
    process_resident_memory_bytes: rss,
    nodejs_heap_used_bytes: heapUsed,
    process_cpu_seconds_total: (cpu.user + cpu.system) / 1e6,
    process_uptime_seconds: process.uptime(),
    kith_database_connections: pool.totalCount,
    kith_database_waiting: pool.waitingCount,
    kith_live_lines: live,
  };
}

/**
 * Formats metrics in the text format of Prometheus. With several processes each value is labelled with its
 * process.
 */
function formatMetrics(all: Map<string, Metrics>): string {
  return Object.entries(METRIC_TYPES)
    .map(([name, type]) => {
      const lines = [...all].map(
        ([number, metrics]) => `${name}${number && `{process="${number}"}`} ${metrics[name]}\n`,
      );
      return `# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}
