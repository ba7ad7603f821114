import type { Kith } from "./host-api.ts";
import type { Caller, Level } from "./thread-protocol.ts";

/** Connection between a thread and the host for one call. */
export type HostConnection = {
  ask: <T>(functionName: string, server: boolean, args: unknown[]) => Promise<T>;
  line: (level: Level, message: unknown, facts: unknown) => void;
};

const AS_SERVER: Caller = Object.freeze({ id: null, roles: Object.freeze(["ServerCodeUser"]), server: true });

/** The `kith` object of a call: each method calls the host function of its name. */
export function createKith({ ask, line }: HostConnection, caller: Caller, server = caller.server): Kith {
  const hostFunction =
    (name: string) =>
    (...args: unknown[]) =>
      ask<never>(name, server, args);
  const logAt = (level: Level) => (message: string, facts?: unknown) => line(level, message, facts);
  return Object.freeze({
    caller,
    get asServer() {
      return createKith({ ask, line }, AS_SERVER, true);
    },
    tables: {
      find: hostFunction("tables.find"),
      get: hostFunction("tables.get"),
      count: hostFunction("tables.count"),
      save: hostFunction("tables.save"),
      upsert: hostFunction("tables.upsert"),
      remove: hostFunction("tables.remove"),
      createMany: hostFunction("tables.createMany"),
      changeMany: hostFunction("tables.changeMany"),
      removeMany: hostFunction("tables.removeMany"),
      relate: hostFunction("tables.relate"),
    },
    counters: { get: hostFunction("counters.get"), add: hostFunction("counters.add") },
    cache: {
      get: hostFunction("cache.get"),
      put: hostFunction("cache.put"),
      remove: hostFunction("cache.remove"),
    },
    hive: (name) => ({
      get: (key) => hostFunction("hive.get")(name, key),
      set: (key, value) => hostFunction("hive.set")(name, key, value),
      remove: (...keys) => hostFunction("hive.remove")(name, keys),
    }),
    services: { call: hostFunction("services.call") },
    channels: { publish: hostFunction("channels.publish") },
    mail: { send: hostFunction("mail.send") },
    events: { dispatch: hostFunction("events.dispatch") },
    log: { debug: logAt("debug"), info: logAt("info"), warn: logAt("warn"), error: logAt("error") },
  } satisfies Kith);
}
