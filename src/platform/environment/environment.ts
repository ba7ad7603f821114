import { resolve } from "node:path";
import { z } from "zod";

/** A variable that cannot be used as it is set. The entry prints the sentence and exits with 78 (EX_CONFIG). */
export class EnvironmentFault extends Error {
  override name = "EnvironmentFault";
  readonly variable: string;
  readonly sentence: string;
  constructor(variable: string, sentence: string) {
    super(`${variable}: ${sentence}`);
    this.variable = variable;
    this.sentence = sentence;
  }
}

export type SignInProvider = { name: string; issuer: string; clientId: string; clientSecret: string };

const url = (schemes: string[], what: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), `must be ${what}`);

const key = z.string().min(16, "must have at least 16 characters").max(200, "must have at most 200 characters");

const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"], "must be development, production or test").default("development"),
  PORT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must be 0 to 65535")
    .max(65535, "must be 0 to 65535")
    .default(3000),
  HOST: z.string().min(1, "must not be empty").default("127.0.0.1"),
  KITH_URL: url(["http:", "https:"], "an address such as https://kith.example.org").optional(),
  KITH_DATA: z.string().min(1, "must name a folder").default("./data"),
  DATABASE_URL: url(["postgres:", "postgresql:"], "an address such as postgres://user:password@host:5432/kith").optional(),
  DATABASE_REPLICA_URL: url(["postgres:", "postgresql:"], "an address such as postgres://user:password@host:5432/kith").optional(),
  DATABASE_POOL: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(2, "must be 2 to 100")
    .max(100, "must be 2 to 100")
    .default(16),
  SMTP_URL: url(["smtp:", "smtps:"], "an address such as smtp://user:password@mail.example.org:587").optional(),
  MAIL_FROM: z.string().min(3, "must be a mail address").max(320, "must be a mail address").default("Kith <kith@localhost>"),
  MAIL_REPLY: z.email("must be a mail address").max(200, "must be a mail address").optional(),
  MAIL_IN_SECRET: key.optional(),
  MAIL_IN_FOLDER: z.string().min(1, "must name a folder").optional(),
  KITH_SEED: z.enum(["demo", "empty"], "must be demo or empty").optional(),
  KITH_ADMIN_EMAIL: z.email("must be a mail address").optional(),
  KITH_ADMIN_PASSWORD: z.string().min(15, "must have at least 15 characters").max(256, "must have at most 256 characters").optional(),
  KITH_APP_ID: key.optional(),
  KITH_CLIENT_KEY: key.optional(),
  KITH_SERVER_KEY: key.optional(),
  KITH_SEARCH_KEY: key.optional(),
  KITH_TRUST_PROXY: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  KITH_WORKER: z.enum(["inside", "apart"], "must be inside or apart").default("inside"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "must be a level such as info or warn").optional(),
});

export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Reads the process's variables once, at the edge. Empty means unset. Throws `EnvironmentFault` with one sentence
 * that names the variable; nothing deeper in the house reads `process.env`.
 */
export function readEnvironment(from: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined && value !== ""));
  const read = Variables.safeParse(given);
  if (!read.success) throw faultOf(read.error);
  const v = read.data;
  if (v.KITH_ADMIN_PASSWORD && !v.KITH_ADMIN_EMAIL)
    throw new EnvironmentFault("KITH_ADMIN_EMAIL", "must be set when KITH_ADMIN_PASSWORD is.");
  if (v.MAIL_REPLY && !v.MAIL_IN_SECRET && !v.MAIL_IN_FOLDER)
    throw new EnvironmentFault("MAIL_REPLY", "needs MAIL_IN_SECRET or MAIL_IN_FOLDER: without one of them, answers come in nowhere.");
  const production = v.NODE_ENV === "production";
  return {
    production,
    test: v.NODE_ENV === "test",
    port: v.PORT,
    host: v.HOST,
    /** Null: the address is known only once the port is (`http://localhost:<port>`). */
    url: v.KITH_URL ? new URL(v.KITH_URL).origin : null,
    dataDir: resolve(v.KITH_DATA),
    databaseUrl: v.DATABASE_URL ?? null,
    databaseReplicaUrl: v.DATABASE_REPLICA_URL ?? null,
    databasePool: v.DATABASE_POOL,
    smtpUrl: v.SMTP_URL ?? null,
    mailFrom: v.MAIL_FROM,
    /** The box of answers and of mail that comes back; null where nothing comes in. */
    replyBox: v.MAIL_REPLY ?? null,
    /** The two ways in for mail: by a request that knows the secret, and from a folder. */
    mailInSecret: v.MAIL_IN_SECRET ?? null,
    mailInFolder: v.MAIL_IN_FOLDER ? resolve(v.MAIL_IN_FOLDER) : null,
    seed: v.KITH_SEED ?? (production ? ("empty" as const) : ("demo" as const)),
    admin: v.KITH_ADMIN_EMAIL ? { email: v.KITH_ADMIN_EMAIL, password: v.KITH_ADMIN_PASSWORD ?? null } : null,
    keys: { app: v.KITH_APP_ID, client: v.KITH_CLIENT_KEY, server: v.KITH_SERVER_KEY, search: v.KITH_SEARCH_KEY },
    trustProxy: v.KITH_TRUST_PROXY === "1",
    workerInside: v.KITH_WORKER === "inside",
    logLevel: v.LOG_LEVEL ?? (production ? "info" : "warn"),
    providers: readProviders(given),
  };
}

function faultOf(error: z.ZodError): EnvironmentFault {
  const issue = error.issues[0]!;
  const message = issue.message.startsWith("must") ? issue.message : `is not usable (${issue.message})`;
  return new EnvironmentFault(String(issue.path[0]), `${message}.`);
}

/** Sign-in providers come as three variables each: `OIDC_<NAME>_ISSUER`, `_CLIENT_ID`, `_CLIENT_SECRET`. */
function readProviders(given: Record<string, string | undefined>): SignInProvider[] {
  const issuers = Object.keys(given).flatMap((name) => /^OIDC_([A-Z0-9]+)_ISSUER$/.exec(name)?.[1] ?? []);
  return issuers.map((NAME) => {
    const part = (suffix: string) => {
      const value = given[`OIDC_${NAME}_${suffix}`];
      if (!value) throw new EnvironmentFault(`OIDC_${NAME}_${suffix}`, `must be set when OIDC_${NAME}_ISSUER is.`);
      return value;
    };
    const issuer = part("ISSUER");
    if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol))
      throw new EnvironmentFault(`OIDC_${NAME}_ISSUER`, "must be an address such as https://id.example.org.");
    return { name: NAME.toLowerCase(), issuer, clientId: part("CLIENT_ID"), clientSecret: part("CLIENT_SECRET") };
  });
}
