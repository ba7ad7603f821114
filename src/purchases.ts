import { openPurchases, PLAY_SCOPE, type Purchases } from "#backend/purchases";
import { givePurchased, takePurchased } from "#community/groups";
import type { Settings } from "#community/settings";
import type { Database } from "#platform/database";
import type { Environment } from "#platform/environment";
import { openGoogle, readServiceAccount } from "#platform/google";
import type { Log } from "#platform/log";
import { readKeyFile } from "./preflight.ts";

type House = { database: Database; settings: Settings; log: Log };

/**
 * Purchases and what they grant.
 * @throws EnvironmentFault when the key file is not usable
 */
export function purchasesOf(house: House, { googleCredentials }: Pick<Environment, "googleCredentials">): Purchases {
  return openPurchases({
    database: house.database,
    log: house.log,
    google:
      googleCredentials === null
        ? null
        : openGoogle(
            readKeyFile("GOOGLE_CREDENTIALS", () => readServiceAccount(googleCredentials)),
            { scope: PLAY_SCOPE },
          ),
    grants: {
      give: async (tx, personId, bought) => givePurchased(tx, (await house.settings.get()).purchaseGrants, personId, bought),
      take: takePurchased,
    },
  });
}
