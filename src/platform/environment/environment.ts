import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { parseTrustedProxies } from "#platform/client-address";
import { EnvironmentError } from "./environment-error.ts";
import { findUnreadVariables } from "./unread-variables.ts";
import { readOtlpHeaders } from "./otlp-headers.ts";
import { readOpenIdProviders, readSocialProviders } from "./sign-in-providers.ts";

const url = (schemes: string[], what: string) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), `must be ${what}`);

const secretKey = z
  .string()
  .min(16, "must have at least 16 characters")
  .max(200, "must have at most 200 characters");

const numberBetween = (least: number, most: number) =>
  z.coerce
    .number("must be a number")
    .min(least, `must be ${least} to ${most}`)
    .max(most, `must be ${least} to ${most}`);
const wholeNumber = (least: number, most: number) => numberBetween(least, most).int("must be a whole number");

const Variables = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"], "must be development, production or test")
    .default("development"),
  PORT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must be 0 to 65535")
    .max(65535, "must be 0 to 65535")
    .default(3000),
  HOST: z.string().min(1, "must not be empty").default("127.0.0.1"),
  KITH_URL: url(["http:", "https:"], "an address such as https://kith.example.org").optional(),
  KITH_DATA: z.string().min(1, "must name a folder").default("./data"),
  DATABASE_URL: url(
    ["postgres:", "postgresql:"],
    "an address such as postgres://user:password@host:5432/kith",
  ).optional(),
  DATABASE_REPLICA_URL: url(
    ["postgres:", "postgresql:"],
    "an address such as postgres://user:password@host:5432/kith",
  ).optional(),
  DATABASE_POOL: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(2, "must be 2 to 100")
    .max(100, "must be 2 to 100")
    .default(16),
  REDIS_URL: url(["redis:", "rediss:"], "an address such as redis://user:password@host:6379/0").optional(),
  S3_URL: url(["http:", "https:"], "the address of a bucket, such as https://s3.example.org/kith").optional(),
  S3_KEY: z.string().min(1, "must not be empty").max(500, "must have at most 500 characters").optional(),
  S3_SECRET: z.string().min(1, "must not be empty").max(500, "must have at most 500 characters").optional(),
  SMTP_URL: url(
    ["smtp:", "smtps:"],
    "an address such as smtp://user:password@mail.example.org:587",
  ).optional(),
  MAIL_FROM: z
    .string()
    .max(320, "must be an email address")
    .regex(
      /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      "must be an email address, such as Our community <hello@example.org>",
    )
    .default("Kith <kith@localhost>"),
  MAIL_REPLY: z.email("must be an email address").max(200, "must be an email address").optional(),
  MAIL_IN_SECRET: secretKey.optional(),
  MAIL_IN_FOLDER: z.string().min(1, "must name a folder").optional(),
  CLAMD_URL: z
    .string()
    .regex(
      /^(tcp:\/\/[^\s/]+(:\d+)?|unix:\/.+)$/,
      "must be an address such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl",
    )
    .optional(),
  FACEBOOK_APP_ID: z.string().optional(),
  FACEBOOK_APP_SECRET: z.string().optional(),
  TWITTER_API_KEY: z.string().optional(),
  TWITTER_API_SECRET: z.string().optional(),
  TWITTER_LINK_BY_EMAIL: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  GOOGLE_CREDENTIALS: z.string().min(1, "must name the key file of a service account").optional(),
  FCM_CREDENTIALS: z.string().min(1, "must name the key file of a service account").optional(),
  APNS_KEY: z.string().min(1, "must name a key file").optional(),
  APNS_KEY_ID: z.string().min(1).max(100, "must have at most 100 characters").optional(),
  APNS_TEAM_ID: z.string().min(1).max(100, "must have at most 100 characters").optional(),
  APNS_TOPIC: z.string().min(1).max(255, "must have at most 255 characters").optional(),
  APNS_URL: url(["http:", "https:"], "an address such as https://api.sandbox.push.apple.com").default(
    "https://api.push.apple.com",
  ),
  KITH_SEED: z.enum(["demo", "empty"], "must be demo or empty").optional(),
  KITH_ADMIN_EMAIL: z.email("must be an email address").optional(),
  KITH_ADMIN_PASSWORD: z
    .string()
    .min(15, "must have at least 15 characters")
    .max(256, "must have at most 256 characters")
    .optional(),
  KITH_APP_ID: secretKey.optional(),
  KITH_CLIENT_KEY: secretKey.optional(),
  KITH_SERVER_KEY: secretKey.optional(),
  KITH_SEARCH_KEY: secretKey.optional(),
  SEARCH_URL: url(
    ["http:", "https:"],
    "an address with the key in it, such as https://:key@search.example.org",
  ).optional(),
  KITH_SEARCH_CLIENT: z
    .string()
    .regex(
      /^(lite|full|cache)(,(lite|full|cache))*$/,
      "must be some of lite, full and cache, separated by commas",
    )
    .default("lite,cache"),
  KITH_METRICS_TOKEN: secretKey.optional(),
  KITH_TRUST_PROXY: z
    .string()
    .transform((text) => parseTrustedProxies(text.trim()))
    .refine(
      (proxies) => proxies !== null,
      "must be a number of proxies, 0 to 10, or their networks, such as 10.0.0.0/8,127.0.0.1",
    )
    .default(false),
  KITH_WORKER: z.enum(["inside", "apart"], "must be inside or apart").default("inside"),
  KITH_PROCESSES: wholeNumber(1, 64).optional(),
  KITH_API_DEFAULTS: z.enum(["careful", "hosted"], "must be careful or hosted").default("careful"),
  KITH_ALLOW_RESET: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  KITH_EXTENSIONS: z.string().min(1, "must name a folder").default("./extensions"),
  KITH_EXTENSION_SECONDS: wholeNumber(1, 60).default(5),
  KITH_EXTENSION_MEMORY: wholeNumber(32, 4_096).default(64),
  KITH_EXTENSION_THREADS: wholeNumber(1, 32).default(2),
  KITH_PROOF_EFFORT: wholeNumber(1, 100_000).default(1_000),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ["http:", "https:"],
    "the address of a collector, such as http://localhost:4318",
  ).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,]*(,[\w-]+=[^,]*)*$/, "must be pairs such as api-key=secret, separated by commas")
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(100, "must have at most 100 characters").default("kith"),
  OTEL_TRACES_SAMPLER_ARG: numberBetween(0, 1).default(1),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be a level such as info or warn",
    )
    .optional(),
});

export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Reads and validates the process's variables; an empty one counts as unset. No other code of the app reads
 * `process.env`.
 * @throws `EnvironmentError` with one sentence that names the variable
 */
export function readEnvironment(from: Record<string, string | undefined>) {
  const variables = Object.fromEntries(
    Object.entries(from).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Variables.safeParse(variables);
  if (!parsed.success) throw toEnvironmentError(parsed.error);
  const v = parsed.data;
  if (v.KITH_ADMIN_PASSWORD && !v.KITH_ADMIN_EMAIL)
    throw new EnvironmentError("KITH_ADMIN_EMAIL", "must be set when KITH_ADMIN_PASSWORD is.");
  if (v.MAIL_REPLY && !v.MAIL_IN_SECRET && !v.MAIL_IN_FOLDER)
    throw new EnvironmentError(
      "MAIL_REPLY",
      "needs MAIL_IN_SECRET or MAIL_IN_FOLDER: without one of them, replies cannot be received.",
    );
  const s3 = [v.S3_URL, v.S3_KEY, v.S3_SECRET];
  const missing = (["S3_URL", "S3_KEY", "S3_SECRET"] as const)[s3.indexOf(undefined)];
  if (missing && s3.some(Boolean))
    throw new EnvironmentError(missing, "must be set when another of S3_URL, S3_KEY and S3_SECRET is.");
  const apns = [v.APNS_KEY, v.APNS_KEY_ID, v.APNS_TEAM_ID, v.APNS_TOPIC];
  const unset = (["APNS_KEY", "APNS_KEY_ID", "APNS_TEAM_ID", "APNS_TOPIC"] as const)[apns.indexOf(undefined)];
  if (unset && apns.some(Boolean))
    throw new EnvironmentError(
      unset,
      "must be set when another of APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC is.",
    );
  const production = v.NODE_ENV === "production";
  return {
    production,
    test: v.NODE_ENV === "test",
    port: v.PORT,
    host: v.HOST,
    /**
     * Null when unset: the address then contains the port, which is known later (`http://localhost:<port>`).
     */
    url: v.KITH_URL ? new URL(v.KITH_URL).origin : null,
    dataDir: resolve(v.KITH_DATA),
    databaseUrl: v.DATABASE_URL ?? null,
    databaseReplicaUrl: v.DATABASE_REPLICA_URL ?? null,
    databasePool: v.DATABASE_POOL,
    /** The Redis that processes share, or null. */
    redisUrl: v.REDIS_URL ?? null,
    /** The S3 bucket for files; null when they are stored in the data folder. */
    s3: v.S3_URL && v.S3_KEY && v.S3_SECRET ? { url: v.S3_URL, key: v.S3_KEY, secret: v.S3_SECRET } : null,
    smtpUrl: v.SMTP_URL ?? null,
    mailFrom: v.MAIL_FROM,
    /** Mailbox for replies and bounces; null when no mail is received. */
    replyBox: v.MAIL_REPLY ?? null,
    /** Secret of the HTTP requests that deliver incoming mail; null without such requests. */
    mailInSecret: v.MAIL_IN_SECRET ?? null,
    /** Folder to which incoming mail is delivered as files; null without such a folder. */
    mailInFolder: v.MAIL_IN_FOLDER ? resolve(v.MAIL_IN_FOLDER) : null,
    /** The virus scanner for files, or null. */
    clamdUrl: v.CLAMD_URL ?? null,
    /** Key file of the service account that checks purchases at Google Play, or null. */
    googleCredentials: v.GOOGLE_CREDENTIALS ? resolve(v.GOOGLE_CREDENTIALS) : null,
    /** Key file of the service account that pushes through Firebase; null without push to Android. */
    fcmCredentials: v.FCM_CREDENTIALS ? resolve(v.FCM_CREDENTIALS) : null,
    /** Credentials for Apple's push service and the id of the app; null without push to Apple devices. */
    apns:
      v.APNS_KEY && v.APNS_KEY_ID && v.APNS_TEAM_ID && v.APNS_TOPIC
        ? {
            url: v.APNS_URL,
            keyFile: resolve(v.APNS_KEY),
            keyId: v.APNS_KEY_ID,
            teamId: v.APNS_TEAM_ID,
            topic: v.APNS_TOPIC,
          }
        : null,
    seed: v.KITH_SEED ?? (production ? ("empty" as const) : ("demo" as const)),
    admin: v.KITH_ADMIN_EMAIL ? { email: v.KITH_ADMIN_EMAIL, password: v.KITH_ADMIN_PASSWORD ?? null } : null,
    keys: {
      app: v.KITH_APP_ID,
      client: v.KITH_CLIENT_KEY,
      server: v.KITH_SERVER_KEY,
      search: v.KITH_SEARCH_KEY,
    },
    /** An external search engine and its key; null for the built-in search. */
    searchUrl: v.SEARCH_URL ?? null,
    /**
     * How pages search in the browser: with the lite or the full client, and whether the client caches
     * results for a short time.
     */
    searchClient: {
      lite: !v.KITH_SEARCH_CLIENT.includes("full"),
      cache: v.KITH_SEARCH_CLIENT.includes("cache"),
    },
    /** Token for reading metrics from other machines; null when that is not possible. */
    metricsToken: v.KITH_METRICS_TOKEN ?? null,
    /**
     * True when requests come through a proxy: a trusted proxy is configured, or the public address is
     * https, which Kith itself does not serve.
     */
    behindProxy:
      Boolean(v.KITH_TRUST_PROXY) || (v.KITH_URL !== undefined && new URL(v.KITH_URL).protocol === "https:"),
    trustProxy: v.KITH_TRUST_PROXY ?? false,
    /** Defaults of the API for everything that is not configured. */
    apiDefaults: v.KITH_API_DEFAULTS,
    /** Whether API clients with the server key may delete all data. */
    allowReset: v.KITH_ALLOW_RESET === "1",
    /** The operator's own code: its folder, and the limits of a call. */
    extensions: {
      folder: resolve(v.KITH_EXTENSIONS),
      seconds: v.KITH_EXTENSION_SECONDS,
      memory: v.KITH_EXTENSION_MEMORY,
      threads: v.KITH_EXTENSION_THREADS,
      // Maximum number of concurrent transactions of extensions: each holds a connection and may need a
      // second one.
      transactions: Math.max(1, Math.floor(v.DATABASE_POOL / 4)),
    },
    /** Average number of attempts of a browser that solves a proof of work. */
    proofEffort: v.KITH_PROOF_EFFORT,
    workerInside: v.KITH_WORKER === "inside",
    /** Number of web processes on this machine. */
    processes: v.KITH_PROCESSES ?? (production ? availableParallelism() : 1),
    /** Where traces and metrics are sent by OpenTelemetry; null when they are not. */
    telemetry: v.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: readOtlpHeaders(v.OTEL_EXPORTER_OTLP_HEADERS),
          serviceName: v.OTEL_SERVICE_NAME,
          sampled: v.OTEL_TRACES_SAMPLER_ARG,
        }
      : null,
    logLevel: v.LOG_LEVEL ?? (production ? "info" : "warn"),
    /** Variables that look like ours but are not read; the startup message names them. */
    unread: findUnreadVariables(variables, Object.keys(Variables.shape)),
    providers: [...readOpenIdProviders(variables), ...readSocialProviders(v)],
  };
}

function toEnvironmentError(error: z.ZodError): EnvironmentError {
  const issue = error.issues[0]!;
  const message = issue.message.startsWith("must") ? issue.message : `is not valid (${issue.message})`;
  return new EnvironmentError(String(issue.path[0]), `${message}.`);
}
