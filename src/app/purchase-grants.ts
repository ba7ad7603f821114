import { PLAY_SCOPE, type Purchases } from "#baas/purchases";
import { grantPurchase, revokePurchase } from "#community/groups";
import type { Settings } from "#community/settings";
import type { Database } from "#platform/database";
import type { Environment } from "#platform/environment";
import { createGoogleClient, readServiceAccount } from "#platform/google";
import type { Log } from "#platform/log";
import { readKeyFile } from "../preflight.ts";

type PurchaseContext = { database: Database; settings: Settings; log: Log };

/**
 * Creates the purchase context, which grants and revokes what a purchase includes.
 * @throws `EnvironmentError` when the key file is unusable
 */
export function createPurchaseContext(
  app: PurchaseContext,
  { googleCredentials }: Pick<Environment, "googleCredentials">,
): Purchases {
  return {
    database: app.database,
    log: app.log,
    google:
      googleCredentials === null
        ? null
        : createGoogleClient(
            readKeyFile("GOOGLE_CREDENTIALS", () => readServiceAccount(googleCredentials)),
            { scope: PLAY_SCOPE },
          ),
    grants: {
      give: async (tx, personId, bought) =>
        grantPurchase(tx, (await app.settings.get()).purchaseGrants, personId, bought),
      take: revokePurchase,
    },
  };
}
