import { setTimeout as pause } from "node:timers/promises";
import { sendNotificationMail } from "#community/mail";
import { many, openDatabase, sql } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { createLog } from "#platform/log";
import { createMailSender } from "#platform/mail";
import { createDispatcher } from "../../../src/event-handlers/dispatcher.ts";
import { eventHandlers, type HandlerContext } from "../../../src/event-handlers/handlers.ts";
import { createMailContext } from "./mail-context.ts";

/**
 * A process that handles domain events, creates the mails about them, and sends these to `SMTP_URL`, until it
 * is killed. Its clock is ahead by `AHEAD` milliseconds, so that held mails are due.
 */
const { DATABASE_URL: connectionString, SMTP_URL: smtpUrl, AHEAD } = process.env;
const now = () => new Date(Date.now() + Number(AHEAD));
const database = openDatabase({
  connection: { connectionString },
  runtime: { now, newId: uuidv7 },
  size: 4,
  onIdleError: () => {},
});
const nothing = async () => {};
const app: HandlerContext = {
  database,
  settingsChanged: () => {},
  pushToSockets: () => {},
  indexEvents: nothing,
  startAutomations: nothing,
  queueWebhooks: nothing,
  withdrawContent: nothing,
  mailStatusNotice: nothing,
  mailAppealNotice: nothing,
  mailGuestDecision: nothing,
};
const log = createLog("silent");
const { round } = createDispatcher({ app, reactions: eventHandlers, log, now });
const mailContext = createMailContext(database);
const sender = createMailSender({
  smtpUrl: smtpUrl!,
  from: "Kith <kith@example.org>",
  renderer: async ({ subject }) => subject,
});

for (;;) {
  while ((await round()) > 0);
  await sendNotificationMail(mailContext);
  const waiting = await many(
    database.db,
    sql<{ id: string }>`select id from mails where sent_at is null order by id`,
  );
  for (const { id } of waiting) await sender.deliver(database.db, id, now());
  await pause(50);
}
