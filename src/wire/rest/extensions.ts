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

/** Whoever calls an extension, perhaps out of another one. */
export type Speaker = {
  caller: Caller;
  within?: Within | null;
  /** The run of a flow that led to it. */ cause?: string | null | undefined;
};

/** The task that a call is which is not waited for. */
export const CALL_TASK = "extension-call";
/** Calls of the community's services. They are short: whoever works through the jobs of the installation does them too. */
export const SERVICE_TASK = "service-call";

/** Of two calls that wait, that with the lower number comes first; what says nothing has 0. */
const PRIORITY = { async: 0, "async-low-priority": 10 } as const;
export type Deferred = keyof typeof PRIORITY;

/** Who has the rights of the server, and is nobody. */
const SERVER: Caller = { key: "server", viewer: OPERATOR, session: null, roles: nobody("server").roles };

/** What a call may take, where nobody says otherwise. */
const USUAL = { seconds: 5, memory: 64, threads: 2, transactions: 4 };
type Given = { folder: string; log: Log; now: () => Date } & Partial<typeof USUAL>;

/** An operator's own code, called by whoever calls here. Nothing is loaded yet. */
export const openExtensions = (given: Given): Extensions<Speaker> =>
  new Extensions<Speaker>({
    ...USUAL,
    ...given,
    // What led to a call leads to what is done in it, in whose place ever.
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

/** Who is meant by an id, as a program with this key would speak for them; without one, nobody. Null for who is gone, or shut out. */
export async function speakerFor(
  { accounts }: Pick<RestHouse, "accounts">,
  personId: string | null,
  key: Caller["key"],
): Promise<Speaker | null> {
  if (personId === null) return { caller: nobody(key) };
  const person = await accounts.programAs(personId);
  return person && { caller: somebody(key, person) };
}

/** Calls a service by its name as somebody: for what is not a call of theirs, but is done for them. Throws as the service does. */
export const callService = (
  house: RestHouse,
  { service, method, input }: { service: string; method: string; input: unknown },
  { caller, within, cause }: Speaker,
): Promise<unknown> => asDoingOf(cause, () => house.services.call(service, method, { house, caller, within, cause }, input ?? {}));

/** What is called: something of an extension, or a method of the community by its name. */
type Called = { part: string } | { service: string; method: string };

/** Puts a call where it is done after the answer, whoever calls then being asked about again. */
export async function defer(house: RestHouse, what: Called, { caller }: Speaker, input: unknown, how: Deferred): Promise<null> {
  const { viewer, key } = caller;
  // A guest account of a program has an id; who has none is nobody.
  const payload = { ...what, input, key, personId: viewer.id };
  if (!(await roomIn(house).left())) throw new Refusal("unavailable", "Too many calls wait to be done. Please come back in a while.");
  const task = "part" in what ? CALL_TASK : SERVICE_TASK;
  await later(house.database.db, { task, payload, mostAttempts: 2, priority: PRIORITY[how] });
  return null;
}

/** Calls that wait at the most. */
const MOST_WAITING = 10_000;
const rooms = new WeakMap<RestHouse, Room>();

/** Whether there is room for one more, asked once in a second. */
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

/** Does what was put off. What fails is there to be read, and is not tried again: what was sent is kept no longer than that. */
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
