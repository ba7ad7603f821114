import { type Devices, createDeviceRegistry, type PushProviders } from "#baas/devices";
import type { Database } from "#platform/database";
import type { Environment } from "#platform/environment";
import { createFetcher } from "#platform/fetcher";
import { createGoogleClient, readServiceAccount } from "#platform/google";
import type { Log } from "#platform/log";
import { parseMailAddress } from "#platform/mail";
import { FCM_SCOPE, createApnsClient, createFcmClient, readApnsKey } from "#platform/mobile-push";
import { createWebPushClient } from "#platform/web-push";
import { readKeyFile } from "../preflight.ts";
import type { Secrets } from "./secrets.ts";

const FCM = "https://fcm.googleapis.com";

type PushContext = { database: Database; log: Log; origin: () => string };
type Given = { environment: Environment; secrets: Pick<Secrets, "push"> };

/**
 * Creates device push with the configured providers.
 * @throws `EnvironmentError` when a key file is unusable
 */
export const createDevicePush = (app: PushContext, options: Given): Devices =>
  createDeviceRegistry(app.database, createPushProviders(app, options), app.log);

function createPushProviders(
  { origin }: PushContext,
  { environment: { apns, fcmCredentials, mailFrom }, secrets }: Given,
): PushProviders {
  const now = () => new Date();
  return {
    apns:
      apns &&
      createApnsClient({
        ...apns,
        origin: apns.url,
        key: readKeyFile("APNS_KEY", () => readApnsKey(apns.keyFile)),
        now,
      }),
    fcm:
      fcmCredentials === null
        ? null
        : readKeyFile("FCM_CREDENTIALS", () =>
            createFcmClient({
              origin: FCM,
              google: createGoogleClient(readServiceAccount(fcmCredentials), { scope: FCM_SCOPE }),
              now,
            }),
          ),
    web: createWebPushClient({
      keys: secrets.push,
      contact: vapidContact(origin(), mailFrom),
      fetcher: createFetcher(),
    }),
  };
}

export function closePushProviders({ providers }: Devices): void {
  providers.apns?.close();
  providers.fcm?.close();
}

/** Contact address for push services (VAPID subject). */
export const vapidContact = (origin: string, mailFrom: string) =>
  origin.startsWith("https:") ? origin : `mailto:${parseMailAddress(mailFrom).address}`;
