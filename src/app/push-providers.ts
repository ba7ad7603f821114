import { type Devices, openDevices, type PushProviders } from "#baas/devices";
import type { Database } from "#platform/database";
import type { Environment } from "#platform/environment";
import { openFetcher } from "#platform/fetcher";
import { openGoogleClient, readServiceAccount } from "#platform/google";
import type { Log } from "#platform/log";
import { parseMailAddress } from "#platform/mail";
import { FCM_SCOPE, openApnsClient, openFcmClient, readApnsKey } from "#platform/mobile-push";
import { openWebPush } from "#platform/web-push";
import { readKeyFile } from "../preflight.ts";
import type { Secrets } from "./secrets.ts";

const FCM = "https://fcm.googleapis.com";

type PushContext = { database: Database; log: Log; origin: () => string };
type Given = { environment: Environment; secrets: Pick<Secrets, "push"> };

/**
 * Opens device push with the configured providers.
 * @throws `EnvironmentError` when a key file is unusable
 */
export const openDevicePush = (app: PushContext, given: Given): Devices =>
  openDevices(app.database, createPushProviders(app, given), app.log);

function createPushProviders(
  { origin }: PushContext,
  { environment: { apns, fcmCredentials, mailFrom }, secrets }: Given,
): PushProviders {
  const now = () => new Date();
  return {
    apns:
      apns &&
      openApnsClient({
        ...apns,
        origin: apns.url,
        key: readKeyFile("APNS_KEY", () => readApnsKey(apns.keyFile)),
        now,
      }),
    fcm:
      fcmCredentials === null
        ? null
        : readKeyFile("FCM_CREDENTIALS", () =>
            openFcmClient({
              origin: FCM,
              google: openGoogleClient(readServiceAccount(fcmCredentials), { scope: FCM_SCOPE }),
              now,
            }),
          ),
    web: openWebPush({
      keys: secrets.push,
      contact: vapidContact(origin(), mailFrom),
      fetcher: openFetcher(),
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
