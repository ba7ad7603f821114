import { type ExtensionCaller, Extensions, type Within } from "#backend/extensions";
import { COMMUNITY_SERVICES } from "#community/services";
import { GUEST, OPERATOR, type Viewer } from "#community/rules";
import { later } from "#platform/jobs";
import { type Db, one, sql } from "#platform/database";
import { Room } from "#platform/limits";
import type { Log } from "#platform/log";
import { asDoingOf } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { type Caller, nobody, somebody } from "./caller.ts";
import type { RestHouse } from "./route.ts";

/** The caller of an extension, possibly another extension. */
export type Speaker = {
  caller: Caller;
  within?: Within | null;
  /** The automation run that led to it. */ cause?: string | null | undefined;
};

/** Job name of a call that runs after the answer. */
export const CALL_TASK = "extension-call";
/** Calls of the community's services. They are short: whoever works through the jobs of the installation does them too. */
export const SERVICE_TASK = "service-call";

/** Job priority: the lower number runs first; the default is 0. */
const PRIORITY = { async: 0, "async-low-priority": 10 } as const;
export type Deferred = keyof typeof PRIORITY;

/** The server's rights, without a person. */
const SERVER: Caller = { key: "server", viewer: OPERATOR, session: null, roles: nobody("server").roles };

/** Default limits of a call. */
const USUAL = { seconds: 5, memory: 64, threads: 2, transactions: 4 };
type Given = { folder: string; log: Log; now: () => Date } & Partial<typeof USUAL>;

/** Creates the extension host. Nothing is loaded yet. */
export const openExtensions = (given: Given): Extensions<Speaker> =>
  new Extensions<Speaker>({
    ...USUAL,
    ...given,
    // The cause of a call is passed on to all its effects, regardless of the acting person.
    serverFor: (of) => ({ caller: SERVER, within: of?.within ?? null, cause: of?.cause }),
    withinOf: ({ within }) => within ?? null,
    isTaken: (service, method) => COMMUNITY_SERVICES.some(({ noun, name }) => noun === service && name === method),
    callerOf: ({ caller: { viewer, roles, key } }): ExtensionCaller => ({ id: viewer.id, roles, server: key === "server" }),
    fromTable: ({ server, roles, viewer, within, cause }) => ({
      caller: {
        key: server ? "server" : "client",
        viewer: (viewer as Viewer | undefined) ?? (server ? OPERATOR : GUEST),
        session: null,
        roles,
      },
      within: (within as Within | undefined) ?? null,
      cause,
    }),
  });

/**
 * The caller for a person's id with this key; anonymous without an id. Null for a deleted or banned person.
 */
export async function speakerFor(
  { accounts }: Pick<RestHouse, "accounts">,
  personId: string | null,
  key: Caller["key"],
): Promise<Speaker | null> {
  if (personId === null) return { caller: nobody(key) };
  const person = await accounts.programAs(personId);
  return person && { caller: somebody(key, person) };
}

/**
 * Calls a service by name on behalf of a person.
 * @throws what the service throws
 */
export const callService = (
  house: RestHouse,
  { service, method, input }: { service: string; method: string; input: unknown },
  { caller, within, cause }: Speaker,
): Promise<unknown> => asDoingOf(cause, () => house.services.call(service, method, { house, caller, within, cause }, input ?? {}));

/** What is called: something of an extension, or a method of the community by its name. */
type Called = { part: string } | { service: string; method: string };

/** Queues a call to run after the answer; its caller is checked again then. */
export async function defer(house: RestHouse, what: Called, { caller }: Speaker, input: unknown, how: Deferred): Promise<null> {
  const { viewer, key } = caller;
  // A guest account of an app has an id; anonymous callers have none.
  const payload = { ...what, input, key, personId: viewer.id };
  if (!(await roomIn(house).left())) throw new Refusal("unavailable", "Too many calls wait to be done. Please come back in a while.");
  const task = "part" in what ? CALL_TASK : SERVICE_TASK;
  await later(house.database.db, { task, payload, mostAttempts: 2, priority: PRIORITY[how] });
  return null;
}

/** Maximum queued calls. */
const MOST_WAITING = 10_000;
const rooms = new WeakMap<RestHouse, Room>();

/** Whether the queue has capacity, queried at most once a second. */
function roomIn(house: RestHouse): Room {
  const { db } = house.database;
  const room = rooms.get(house) ?? new Room(async () => (await waiting(db)) < MOST_WAITING);
  rooms.set(house, room);
  return room;
}

const waiting = async (db: Db): Promise<number> =>
  (
    await one(
      db,
      sql<{ n: number }>`select count(*)::int as n from graphile_worker.jobs where task_identifier in (${CALL_TASK}, ${SERVICE_TASK})`,
    )
  ).n;

/** Runs a queued call. A failure is logged and not retried; its input is deleted. */
export async function callDeferred(house: RestHouse, payload: Record<string, unknown>): Promise<void> {
  const { input, key, personId, ...what } = payload as { input: unknown; key: Caller["key"]; personId: string | null } & Called;
  const speaker = await speakerFor(house, personId, key);
  if (!speaker) return house.log.info(what, "who asked for it is gone: it is not done");
  const running =
    "part" in what
      ? house.extensions.run(what.part, input, speaker, { background: true })
      : callService(house, { ...what, input }, speaker);
  await running.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    house.log.warn({ ...what, reason: error.reason }, "a call that nobody waits for was refused");
  });
}
