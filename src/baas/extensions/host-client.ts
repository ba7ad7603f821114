import type { Kith } from "./host-api.ts";
import type { Caller, Level } from "./thread-protocol.ts";

/** Connection between a thread and the host for one call. */
export type HostConnection = {
  ask: (hand: string, server: boolean, args: unknown[]) => Promise<unknown>;
  line: (level: Level, message: unknown, facts: unknown) => void;
};

const AS_SERVER: Caller = Object.freeze({ id: null, roles: Object.freeze(["ServerCodeUser"]), server: true });

/** The `kith` object of a call: each method calls the host function of its name. */
export function createKith({ ask, line }: HostConnection, caller: Caller, server = caller.server): Kith {
  const hand =
    (name: string) =>
    (...args: unknown[]): Promise<never> =>
      ask(name, server, args) as Promise<never>;
  const said = (level: Level) => (message: string, facts?: unknown) => line(level, message, facts);
  return Object.freeze({
    caller,
    get asServer() {
      return createKith({ ask, line }, AS_SERVER, true);
    },
    tables: {
      find: hand("tables.find"),
      get: hand("tables.get"),
      count: hand("tables.count"),
      save: hand("tables.save"),
      upsert: hand("tables.upsert"),
      remove: hand("tables.remove"),
      createMany: hand("tables.createMany"),
      changeMany: hand("tables.changeMany"),
      removeMany: hand("tables.removeMany"),
      relate: hand("tables.relate"),
    },
    counters: { get: hand("counters.get"), add: hand("counters.add") },
    cache: { get: hand("cache.get"), put: hand("cache.put"), remove: hand("cache.remove") },
    hive: (name) => ({
      get: (key) => hand("hive.get")(name, key),
      set: (key, value) => hand("hive.set")(name, key, value),
      remove: (...keys) => hand("hive.remove")(name, keys),
    }),
    services: { call: hand("services.call") },
    channels: { publish: hand("channels.publish") },
    mail: { send: hand("mail.send") },
    events: { dispatch: hand("events.dispatch") },
    log: { debug: said("debug"), info: said("info"), warn: said("warn"), error: said("error") },
  } satisfies Kith);
}
