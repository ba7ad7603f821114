import { afterEach } from "vitest";
import { createLog } from "#platform/log";
import { createExtensionFolder } from "./extension-folder.ts";
import {
  type ExtensionFault,
  Extensions,
  type HostFunctions,
  offerServices,
  Services,
} from "../../src/baas/extensions/index.ts";
import type { ParentCall } from "../../src/baas/extensions/thread-connection.ts";

/** Setup for extension tests: a caller, host functions, and extensions loaded from a folder. */
type TestCaller = { id: string; within?: ParentCall | null };
export const mira: TestCaller = { id: "mira" };
let openedExtensions: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of openedExtensions) await close();
  openedExtensions = [];
});

const HOST_FUNCTIONS: HostFunctions<TestCaller> = {
  "counters.get": async ({ id }, [name]) => `${String(name)} of ${id}`,
  "cache.put": async () => {},
  "services.call": (who, [service, method, input], within) =>
    services.call(String(service), String(method), { ...who, within }, input),
};
let services = new Services<TestCaller>();

export async function loadExtensions(
  files: Record<string, string>,
  more: { seconds?: number; memory?: number; threads?: number } = {},
) {
  const place = createExtensionFolder(files);
  services = new Services<TestCaller>();
  const extensions = new Extensions<TestCaller>({
    folder: place.folder,
    log: createLog("silent"),
    seconds: 10,
    memory: 64,
    threads: 2,
    transactions: 2,
    now: () => new Date(),
    callerOf: ({ id }) => ({ id, roles: ["AuthenticatedUser"], server: id === "server" }),
    withinOf: ({ within }) => within ?? null,
    isTaken: (service) => service === "Groups",
    fromTable: ({ userId }) => ({ id: String(userId) }),
    serverFor: () => ({ id: "server" }),
    ...more,
  });
  extensions.setHostFunctions(HOST_FUNCTIONS);
  offerServices(extensions, services, ({ within }) => within ?? null);
  await extensions.load();
  openedExtensions.push(async () => (await extensions.close(), place.remove()));
  return {
    extensions,
    ...place,
    call: (method: string, input: unknown = {}) => services.call("Test", method, mira, input),
  };
}

export const catchFault = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    ({ code, message, fields }: ExtensionFault) => ({ code, message, fields }),
  );
