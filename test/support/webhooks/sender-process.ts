import { createSealer } from "#community/accounts";
import { openSettings } from "#community/settings";
import { WebhookSender } from "#community/webhooks";
import { openDatabase } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { createLog } from "#platform/log";
import { localFetcher } from "./receiver.ts";

/**
 * A process that sends webhooks of the database in `DATABASE_URL` until it is killed. Its clock is ahead by
 * `AHEAD` milliseconds, so that claims of a killed process have ended.
 */
const { DATABASE_URL: connectionString, SEAL, AHEAD = "0" } = process.env;
const now = () => new Date(Date.now() + Number(AHEAD));
const database = openDatabase({
  connection: { connectionString },
  runtime: { now, newId: uuidv7 },
  size: 8,
  onIdleError: () => {},
});
const sender = new WebhookSender({
  database,
  settings: openSettings(database),
  now,
  sealer: createSealer(Buffer.from(SEAL!, "base64")),
  log: createLog("silent"),
  fetcher: localFetcher(),
});
sender.wake();
