type SettingsInput = {
  socketDir: string;
  port: number;
  durable: boolean;
  settings?: Record<string, string> | undefined;
};

/**
 * Settings for a small machine that PostgreSQL shares with Node. They are passed as arguments, so no file
 * has to be edited.
 */
const SMALL_MACHINE = {
  max_connections: "60",
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  random_page_cost: "1.1",
  wal_compression: "on",
  // Pages run many small queries at once: JIT and parallel workers cost more than they save.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  timezone: "UTC",
};

/** The log never holds statements, details or values, because they may be private texts. */
const LOG_SETTINGS = {
  log_timezone: "UTC",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  logging_collector: "off",
  cluster_name: "kith",
};

/** For tests only: acknowledged writes may be lost in a power cut. */
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** Arguments of `postgres`. The caller's settings win, except the listen address. */
export function serverSettings({ socketDir, port, durable, settings }: SettingsInput): string[] {
  const all = {
    ...SMALL_MACHINE,
    ...LOG_SETTINGS,
    ...(durable ? {} : NOT_DURABLE),
    ...settings,
    listen_addresses: "",
    unix_socket_directories: `"${socketDir}"`,
    unix_socket_permissions: "0700",
    port: String(port),
  };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
