import { type Devices, openDevices, type Ways } from "#backend/devices";
import type { Database } from "#platform/database";
import type { Environment } from "#platform/environment";
import { openFetcher } from "#platform/fetcher";
import { openGoogle, readServiceAccount } from "#platform/google";
import type { Log } from "#platform/log";
import { addressOf } from "#platform/mail";
import { FCM_SCOPE, openApns, openFcm, readApnsKey } from "#platform/phones";
import { openPush } from "#platform/push";
import { readKeyFile } from "./preflight.ts";
import type { Secrets } from "./secrets.ts";

const FCM = "https://fcm.googleapis.com";

type House = { database: Database; log: Log; origin: () => string };
type Given = { environment: Environment; secrets: Pick<Secrets, "push"> };

/**
 * Device push with the configured providers.
 * @throws EnvironmentFault when a key file is not usable
 */
export const devicesOf = (house: House, given: Given): Devices => openDevices(house.database, waysOf(house, given), house.log);

function waysOf({ origin }: House, { environment: { apns, fcmCredentials, mailFrom }, secrets }: Given): Ways {
  const now = () => new Date();
  return {
    apns: apns && openApns({ ...apns, origin: apns.url, key: readKeyFile("APNS_KEY", () => readApnsKey(apns.keyFile)), now }),
    fcm:
      fcmCredentials === null
        ? null
        : readKeyFile("FCM_CREDENTIALS", () =>
            openFcm({ origin: FCM, google: openGoogle(readServiceAccount(fcmCredentials), { scope: FCM_SCOPE }), now }),
          ),
    web: openPush({ keys: secrets.push, contact: contactOf(origin(), mailFrom), fetcher: openFetcher() }),
  };
}

export function closeWays({ ways }: Devices): void {
  ways.apns?.close();
  ways.fcm?.close();
}

/** Contact address for push services (VAPID subject). */
export const contactOf = (origin: string, mailFrom: string) =>
  origin.startsWith("https:") ? origin : `mailto:${addressOf(mailFrom).address}`;
