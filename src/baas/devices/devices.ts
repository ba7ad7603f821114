import { type Database, maybeOne, sql } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import type { Log } from "#platform/log";
import type { ApnsClient, FcmClient } from "#platform/mobile-push";
import type { WebPushClient as WebPush } from "#platform/web-push";

/** The service that delivers a push: Apple's, Google's, or the browser vendor's. */
export type PushProvider = "apns" | "fcm" | "web";
/**
 * Clients of the push services; null for those the operator has not configured. Pushes to browsers need only
 * our own keys.
 */
export type PushProviders = { apns: ApnsClient | null; fcm: FcmClient | null; web: WebPush };

export const PROVIDER_BY_OS: Readonly<Record<string, PushProvider>> = {
  IOS: "apns",
  IPADOS: "apns",
  MACOS: "apns",
  OSX: "apns",
  TVOS: "apns",
  WATCHOS: "apns",
  ANDROID: "fcm",
  WEB: "web",
  BROWSER: "web",
};

const MAX_DEVICES = 100_000;

export type Devices = Pick<Database, "db" | "runtime" | "inTransaction"> & {
  providers: PushProviders;
  quota: CachedQuota;
  log: Log;
};

/** Creates the registry of the devices on which API clients receive push notifications. */
export function createDeviceRegistry(
  { db, runtime, inTransaction }: DevicesContext,
  providers: PushProviders,
  log: Log,
  most = MAX_DEVICES,
): Devices {
  const quota = new CachedQuota(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from devices`);
    return found!.n < most;
  });
  return { db, runtime, inTransaction, providers, quota, log };
}
type DevicesContext = Pick<Database, "db" | "runtime" | "inTransaction">;
