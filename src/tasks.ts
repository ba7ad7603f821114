import {
  carryOutDue,
  lookAtLink,
  purgeOrphans,
  purgePreviews,
  purgeTakenAway,
  remindOfBookmarks,
  withdrawWritings,
} from "#community/discussions";
import { endBans, expireInvitations, openWhatIsDue, purgeDeleted } from "#community/groups";
import { emptyFolder, forgetDigests, forgetReplies, mailDigests, mailDue } from "#community/mailing";
import { purgeNotifications, tellTheRest } from "#community/notifications";
import { eraseDeactivated, forgetExports, liftEndedSanctions, purgeExpired, purgeUnverified } from "#community/people";
import { pushDue, pushOne } from "#community/pushing";
import { clearArchives, continueRun, makeExport, takeBack } from "#community/transfer";
import { DAY, later, SECOND } from "#platform/clock";
import { type Database, run, sql } from "#platform/database";
import type { Environment } from "#platform/environment";
import { openFetcher } from "#platform/fetcher";
import { later as laterJob, startWorker, type Tasks } from "#platform/jobs";
import { addressOf, type Face, forgetBounces, openPost } from "#platform/mail";
import { openPush } from "#platform/push";
import { Refusal } from "#platform/refusal";
import type { House } from "#web/server";
import type { Secrets } from "./secrets.ts";

const now = () => new Date();

/** What is due by the clock: minute, hour, day, month, weekday, task. */
const CALENDAR = ["7 * * * * housekeeping", "* * * * * notices", "20 * * * * digests", "* * * * * pushes", "* * * * * mail-in"];

/** Starts to work through jobs, two at a time, and through what the calendar says. */
export const startTasks = (house: House, given: Given) => startWorker(house.database.pool, tasksOf(house, given), 2, house.log, CALENDAR);

type Say = (locale: string, sentence: string) => Promise<string>;
type Given = { environment: Environment; secrets: Pick<Secrets, "push">; face: Face; say: Say };

function tasksOf(house: House, { environment, secrets, face, say }: Given): Tasks {
  const fetcher = openFetcher();
  const post = openPost({ smtpUrl: environment.smtpUrl, from: environment.mailFrom, face, replyBox: environment.replyBox });
  const mailHouse = { ...house, replyBox: environment.replyBox, say };
  const push = openPush({ keys: secrets.push, contact: contactOf(house.origin(), environment.mailFrom), fetcher });
  const pushHouse = { ...mailHouse, push, now };
  return {
    mail: ({ mailId }) => post.deliver(house.db, String(mailId), now()),
    digests: async () => void (await mailDigests(mailHouse)),
    pushes: () => pushSoon(house),
    "push-again": async () => void (await pushDue(house)),
    push: ({ subscriptionId, notificationId }) =>
      pushOne(pushHouse, { subscriptionId: String(subscriptionId), notificationId: String(notificationId) }),
    "mail-in": async () => void (environment.mailInFolder && (await emptyFolder(mailHouse, environment.mailInFolder))),
    notices: async () => void (await mailDue(mailHouse)),
    "link-preview": ({ address }) => lookAtLink(house.database, fetcher, String(address)),
    notify: ({ outboxId, after }) => tellTheRest(house.database, { outboxId: String(outboxId), after: String(after) }),
    housekeeping: async () => {
      await housekeeping(house.database);
      await purgeOrphans(house);
      for (const hash of await house.database.inTransaction(forgetExports)) await house.storage.remove(hash);
      await clearArchives(house.db, house.imports, now());
      await house.database.inTransaction(purgePreviews);
    },
    "personal-export": async ({ exportId }) => {
      const made = await makeExport(house, String(exportId));
      if (made) await house.accounts.exportReady(made);
    },
    due: () => whatIsDue(house.database),
    import: ({ runId }) => unlessRefused(continueRun(house, String(runId))),
    "import-undo": ({ runId }) => unlessRefused(takeBack(house, { runId: String(runId), by: null, evenWritings: true })),
  };
}

/** What was refused stands in the run, for whoever asked for it; while another one is at work it is tried again. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === "conflict") throw error;
  }
}

/** Where those who pass our pushes on can reach us. */
const contactOf = (origin: string, mailFrom: string) => (origin.startsWith("https:") ? origin : `mailto:${addressOf(mailFrom).address}`);

/** The calendar knows no less than a minute; a push is not to wait for so long. */
async function pushSoon({ database, db }: House) {
  for (const seconds of [20, 40])
    await laterJob(db, {
      task: "push-again",
      payload: {},
      key: `push-again:${seconds}`,
      runAt: later(now(), seconds * SECOND),
      mostAttempts: 1,
    });
  await pushDue({ database });
}

/** What ends, or begins, at a moment that somebody has named. */
async function whatIsDue(database: Database) {
  await database.inTransaction(endBans);
  await database.inTransaction(carryOutDue);
  await database.inTransaction(remindOfBookmarks);
  await database.inTransaction(openWhatIsDue);
}

async function housekeeping(database: Database) {
  await whatIsDue(database);
  await database.inTransaction(purgeExpired);
  await database.inTransaction(purgeUnverified);
  await database.inTransaction(liftEndedSanctions);
  await database.inTransaction(withdrawWritings);
  await database.inTransaction(eraseDeactivated);
  await database.inTransaction(purgeDeleted);
  await database.inTransaction(purgeTakenAway);
  await database.inTransaction(expireInvitations);
  await database.inTransaction(purgeNotifications);
  await run(
    database.db,
    sql`delete from outbox where handled_at < ${later(now(), -7 * DAY)}
    and not exists (select 1 from outbox_failures f where f.outbox_id = outbox.id)`,
  );
  await run(
    database.db,
    sql`delete from mails where sent_at < ${later(now(), -30 * DAY)} or given_up_at < ${later(now(), -30 * DAY)} or created_at < ${later(now(), -60 * DAY)}`,
  );
  await forgetBounces(database.db, now());
  await database.inTransaction(forgetReplies);
  await database.inTransaction(forgetDigests);
}
