import { type ExtensionCaller, Extensions, type ParentCall } from "#baas/extensions";
import { closedToTokens } from "#community/common";
import { COMMUNITY_SERVICES } from "#community/services";
import { OPERATOR } from "#community/rules";
import { enqueueJob } from "#platform/jobs";
import { type Database, type Db, one, sql } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import type { Log } from "#platform/log";
import { withEventCause } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { getTableViewer } from "../data/table-viewer.ts";
import { type Caller, anonymousCaller, createPersonCaller } from "../rest-caller.ts";
import type { RestContext } from "../rest-route.ts";
import { findApiIdentityByPerson, type SessionsContext } from "#community/accounts";

/** Where a call to an extension comes from. */
export type CallOrigin = {
  caller: Caller;
  /** The call of an extension within which this call was made, if any. */
  within?: ParentCall | null;
  /** The automation run that made the call. */
  cause?: string | null | undefined;
};

/** Job name of a call that runs after the answer. */
export const EXTENSION_CALL_TASK = "extension-call";
/**
 * Job name of a deferred call of a community service. Such calls are short, so they run in the general job
 * queue.
 */
export const SERVICE_CALL_TASK = "service-call";

/** Job priority: the lower number runs first; the default is 0. */
const JOB_PRIORITY = { async: 0, "async-low-priority": 10 } as const;
export type DeferredMode = keyof typeof JOB_PRIORITY;

/** Caller with the rights of the server and without a person. */
const SERVER_CALLER: Caller = {
  key: "server",
  viewer: OPERATOR,
  session: null,
  roles: anonymousCaller("server").roles,
};

/** Default limits of a call. */
const DEFAULT_LIMITS = { seconds: 5, memory: 64, threads: 2, transactions: 4 };
type HostOptions = { folder: string; log: Log; now: () => Date } & Partial<typeof DEFAULT_LIMITS>;

/** Creates the extension host. Nothing is loaded yet. */
export const createExtensionHost = (options: HostOptions): Extensions<CallOrigin> =>
  new Extensions<CallOrigin>({
    ...DEFAULT_LIMITS,
    ...options,
    // The automation run that caused a call is passed on, so that everything the call does is attributed to
    // it.
    serverFor: (of) => ({ caller: SERVER_CALLER, within: of?.within ?? null, cause: of?.cause }),
    withinOf: ({ within }) => within ?? null,
    isTaken: (service, method) =>
      COMMUNITY_SERVICES.some(({ entity, name }) => entity === service && name === method),
    callerOf: ({ caller: { viewer, roles, key } }): ExtensionCaller => ({
      id: viewer.id,
      roles,
      server: key === "server",
    }),
    fromTable: ({ server, roles, viewer, within, cause }) => ({
      caller: {
        key: server ? "server" : "client",
        viewer: viewer === undefined && server ? OPERATOR : getTableViewer({ viewer }),
        session: null,
        roles,
      },
      within: within ?? null,
      cause,
    }),
  });

/**
 * Returns the caller for a person's id and a kind of key: an anonymous caller if there is no id, and null if
 * the person is deleted or banned.
 */
export async function findCallOrigin(
  app: SessionsContext,
  personId: string | null,
  key: Caller["key"],
): Promise<CallOrigin | null> {
  if (personId === null) return { caller: anonymousCaller(key) };
  const person = await findApiIdentityByPerson(app, personId);
  return person && { caller: createPersonCaller(key, person) };
}

/**
 * Calls a service by name on behalf of a person.
 * @throws what the service throws
 */
export const callService = (
  app: RestContext,
  { service, method, input }: { service: string; method: string; input: unknown },
  { caller, within, cause }: CallOrigin,
): Promise<unknown> =>
  withEventCause(cause, async () => {
    // Extensions are closed to personal access tokens, because no scope covers what extensions do.
    if (caller.viewer.scopes && app.services.method(service, method).part !== undefined)
      throw closedToTokens();
    return app.services.call(service, method, { app, caller, within, cause }, input ?? {});
  });

/** Target of a call: a part of an extension, or a method of a community service. */
const Called = z.union([
  z.object({ part: z.string() }),
  z.object({ service: z.string(), method: z.string() }),
]);
type Called = z.output<typeof Called>;
/** A queued call, without its target. */
const QueuedCall = z.object({
  input: z.unknown().optional(),
  key: z.enum(["client", "server"]),
  personId: z.string().nullable(),
});

/** Queues a call that runs after the answer. Its caller's rights are loaded again when it runs. */
export async function deferCall(
  { database }: Pick<RestContext, "database">,
  what: Called,
  { caller }: CallOrigin,
  input: unknown,
  how: DeferredMode,
): Promise<null> {
  const { viewer, key } = caller;
  // Calls with a personal access token are not queued: they would run later with all rights of the person,
  // without the limits of the token.
  if (viewer.scopes) throw closedToTokens();
  // Guest accounts created by apps have an id; anonymous callers have none.
  const payload = { ...what, input, key, personId: viewer.id };
  if (!(await quotaOf(database).left()))
    throw new Refusal("unavailable", "Too many calls are waiting. Try again later.");
  const task = "part" in what ? EXTENSION_CALL_TASK : SERVICE_CALL_TASK;
  await enqueueJob(database.db, { task, payload, mostAttempts: 2, priority: JOB_PRIORITY[how] });
  return null;
}

/** Maximum queued calls. */
const MAX_QUEUED = 10_000;
const quotas = new WeakMap<Database, CachedQuota>();

/** Whether more calls can be queued; counted at most once a second. */
function quotaOf(database: Database): CachedQuota {
  const quota =
    quotas.get(database) ?? new CachedQuota(async () => (await countQueued(database.db)) < MAX_QUEUED);
  quotas.set(database, quota);
  return quota;
}

const countQueued = async (db: Db): Promise<number> =>
  (
    await one(
      db,
      sql<{
        n: number;
      }>`select count(*)::int as n from graphile_worker.jobs
        where task_identifier in (${EXTENSION_CALL_TASK}, ${SERVICE_CALL_TASK})`,
    )
  ).n;

/** Runs a queued call and deletes its input. A failure is logged and not retried. */
export async function runDeferredCall(app: RestContext, payload: Record<string, unknown>): Promise<void> {
  const { input, key, personId } = QueuedCall.parse(payload);
  const what = Called.parse(payload);
  const speaker = await findCallOrigin(app, personId, key);
  if (!speaker) return app.log.info(what, "the caller no longer exists: the call is skipped");
  const running =
    "part" in what
      ? app.extensions.run(what.part, input, speaker, { background: true })
      : callService(app, { ...what, input }, speaker);
  await running.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    app.log.warn({ ...what, reason: error.reason }, "a background call was refused");
  });
}
