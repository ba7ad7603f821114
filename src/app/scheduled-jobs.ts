import { purgeCache } from "#baas/cache";
import { purgeChangeDetails } from "#baas/data";
import { purgeChannels } from "#baas/messaging";
import { PUSH_TASK, purgeDevices, requeueDuePushes, deliverPush } from "#baas/devices";
import { purgeAutomations } from "#baas/automations";
import { purgeReleasedBytes, removeStrayBytes } from "#baas/files";
import { purgeHives } from "#baas/hive";
import { purgeEmails } from "#baas/email";
import { refreshDueSubscriptions } from "#baas/purchases";
import { purgeLogs } from "#baas/logging";
import { purgeSharedObjects } from "#baas/shared-objects";
import { purgeAuditEvents } from "#community/audit";
import {
  applyDueChanges,
  detectMissingLanguages,
  purgeDrafts,
  purgeDiscardedDrafts,
  purgePendingPosts,
  fetchLinkPreview,
  purgeOrphanedUploads,
  purgeLinkPreviews,
  purgeDeletedContent,
  sendBookmarkReminders,
  withdrawContentOfLeavers,
} from "#community/discussions";
import {
  endExpiredBans,
  expireInvitations,
  deleteExpiredGroupExports,
  deleteOldRequests,
  completeGroupExport,
  applyDueOpenings,
  purgeDeletedGroups,
} from "#community/groups";
import {
  processMailFolder,
  deleteOldDigests,
  deleteExpiredReplyAddresses,
  mailDigests,
  sendNotificationMail,
} from "#community/mail";
import { purgeSanctionAppeals, purgeInspections, purgeReports } from "#community/moderation";
import { deleteOldNotifications, notifyNextBatch } from "#community/notifications";
import {
  ACCOUNT_MAIL_TASK,
  type RequestedMail,
  eraseDeactivated,
  deleteExpiredExports,
  liftEndedSanctions,
  deleteExpiredRows,
  deleteUnverified,
} from "#community/accounts";
import { enqueuePushes, sendPush } from "#community/push";
import { purgeSearchMisses, sendSearchAlerts } from "#community/search";
import { checkDueLinks, purgeRemovedResources, scheduleLinkChecks } from "#community/resources";
import {
  deleteOldArchives,
  continueImport,
  makePersonalExport,
  makeGroupExport,
  undoImport,
} from "#community/import-export";
import {
  purgeAbandonedUploads,
  extractFileText,
  enqueueTextExtraction,
  enqueuePendingScans,
  scanFile,
} from "#community/uploads";
import { DAY, addMilliseconds, SECOND } from "#platform/clock";
import { type Database, run, sql, type Tx } from "#platform/database";
import type { Environment } from "#platform/environment";
import { openFetcher } from "#platform/fetcher";
import { enqueueJob as laterJob, startWorkers, type Tasks } from "#platform/jobs";
import {
  type EmailRenderer,
  deleteOldBounces,
  openMailSender,
  purgeBodies,
  requeueDroppedMail,
} from "#platform/mail";
import { openWebPush } from "#platform/web-push";
import { Refusal } from "#platform/refusal";
import type { WebContext } from "#web/server";
import { runDeferredCall, type RestContext, SERVICE_TASK } from "#api/rest";
import { vapidContact } from "./push-providers.ts";
import { openPurchaseGrants } from "./purchase-grants.ts";
import type { Secrets } from "./secrets.ts";

const now = () => new Date();

/** Cron schedule: minute, hour, day, month, weekday, task. */
const SCHEDULE = [
  "7 * * * * housekeeping",
  "* * * * * notices",
  "20 * * * * digests",
  "* * * * * pushes",
  "* * * * * device-pushes",
  "* * * * * mail-in",
  "* * * * * links",
  "*/10 * * * * searches",
  "37 4 * * * strays",
];

/**
 * Starts the job workers and the schedule: two at a time, with a queue of their own for jobs that take
 * minutes.
 */
export const startScheduledJobs = (app: WebContext, given: JobOptions) =>
  startWorkers(app.database, app.log, [
    { tasks: createJobs(app, given), atOnce: 2, calendar: SCHEDULE },
    { tasks: createLongJobs(app), atOnce: 2 },
  ]);

type Say = (locale: string, sentence: string) => Promise<string>;
type JobOptions = {
  environment: Environment;
  secrets: Pick<Secrets, "push">;
  face: EmailRenderer;
  say: Say;
  wire: RestContext;
};

function createJobs(app: WebContext, { environment, secrets, face, say, wire }: JobOptions): Tasks {
  const fetcher = openFetcher();
  const post = openMailSender({
    smtpUrl: environment.smtpUrl,
    from: environment.mailFrom,
    face,
    replyBox: environment.replyBox,
  });
  const mailHouse = { ...app, replyBox: environment.replyBox, say };
  const push = openWebPush({
    keys: secrets.push,
    contact: vapidContact(app.origin(), environment.mailFrom),
    fetcher,
  });
  const purchases = openPurchaseGrants(app, environment);
  const pushHouse = { ...mailHouse, push, now };
  return {
    mail: ({ mailId }) => post.deliver(app.db, String(mailId), now()),
    [SERVICE_TASK]: (payload) => runDeferredCall(wire, payload),
    [ACCOUNT_MAIL_TASK]: (payload) => app.accounts.writeAccountMail(payload as RequestedMail),
    digests: async () => void (await mailDigests(mailHouse)),
    pushes: () => schedulePushes(app),
    "push-again": async () => void (await enqueuePushes(app)),
    push: ({ subscriptionId, notificationId }) =>
      sendPush(pushHouse, { subscriptionId: String(subscriptionId), notificationId: String(notificationId) }),
    [PUSH_TASK]: ({ pushId }) => deliverPush(app.devices, String(pushId)),
    "device-pushes": () => requeueDuePushes(app.db, now()),
    "mail-in": async () =>
      void (environment.mailInFolder && (await processMailFolder(mailHouse, environment.mailInFolder))),
    notices: async () => void (await sendNotificationMail(mailHouse)),
    "link-preview": ({ address, before }) =>
      fetchLinkPreview(app.database, fetcher, String(address), Number(before ?? 0)),
    notify: ({ outboxId, after }) =>
      notifyNextBatch(app.database, { outboxId: String(outboxId), after: String(after) }),
    housekeeping: () => runHousekeeping(app, [...HOUSEKEEPING, () => refreshDueSubscriptions(purchases)]),
    links: async () => void (await checkDueLinks(app.database, fetcher)),
    searches: async () => void (await sendSearchAlerts(app)),
    "read-file": ({ hash }) => extractFileText(app, String(hash)),
    "scan-file": ({ uploadId }) => scanFile(app, String(uploadId)),
    due: () => runDueChanges(app.database),
  };
}

/** Jobs that take as long as an archive or all files; mail and notifications do not wait for them. */
const createLongJobs = (app: WebContext): Tasks => ({
  "personal-export": async ({ exportId }) => {
    const made = await makePersonalExport(app, String(exportId));
    if (made) await app.accounts.exportReady(made);
  },
  "group-export": ({ exportId }) => exportGroup(app, String(exportId)),
  import: ({ runId }) => ignoreRefusal(continueImport(app, String(runId))),
  "import-undo": ({ runId }) =>
    ignoreRefusal(undoImport(app, { runId: String(runId), by: null, evenWritings: true })),
  strays: () => removeStrayFiles(app),
});

async function exportGroup(app: WebContext, exportId: string) {
  const made = await makeGroupExport(app, exportId);
  if (!made) return;
  const { name: community } = await app.settings.get();
  const linkTo = (slug: string) => `${app.origin()}/groups/${slug}/manage/end#take-along`;
  await app.database.inTransaction((tx) => completeGroupExport(tx, made, { community, linkTo }));
}

/**
 * The run records the refusal for the person who requested it. While another run is active, the job is
 * retried.
 */
async function ignoreRefusal(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === "conflict") throw error;
  }
}

/** Cron has no less than a minute, too long for a push. */
async function schedulePushes({ database, db }: WebContext) {
  for (const seconds of [20, 40])
    await laterJob(db, {
      task: "push-again",
      payload: {},
      key: `push-again:${seconds}`,
      runAt: addMilliseconds(now(), seconds * SECOND),
      mostAttempts: 1,
    });
  await enqueuePushes({ database });
}

/** Bans that end, polls that close and other moments people set. */
async function runDueChanges(database: Database) {
  await database.inTransaction(endExpiredBans);
  await database.inTransaction(applyDueChanges);
  await database.inTransaction(sendBookmarkReminders);
  await database.inTransaction(applyDueOpenings);
}

/** Files of processes that ended during an upload. */
async function removeStrayFiles({ files, storage }: WebContext) {
  await storage.tidy(addMilliseconds(now(), -DAY));
  await removeStrayBytes(files, now());
}

type HousekeepingTask = (app: WebContext) => Promise<unknown>;
const inTransaction =
  (work: (tx: Tx) => Promise<unknown>): HousekeepingTask =>
  ({ database }) =>
    database.inTransaction(work);

const HOUSEKEEPING: HousekeepingTask[] = [
  ({ database }) => runDueChanges(database),
  ...[
    deleteExpiredRows,
    deleteUnverified,
    liftEndedSanctions,
    purgeSanctionAppeals,
    withdrawContentOfLeavers,
    eraseDeactivated,
    purgeDeletedGroups,
    purgeDeletedContent,
    purgeRemovedResources,
    expireInvitations,
    deleteOldRequests,
    purgeReports,
    purgeInspections,
    purgeDrafts,
    purgeDiscardedDrafts,
    purgePendingPosts,
    purgeAuditEvents,
    purgeSearchMisses,
    purgeCache,
    purgeChangeDetails,
    purgeHives,
    purgeChannels,
    purgeEmails,
    purgeDevices,
    purgeAutomations,
    purgeSharedObjects,
    deleteOldNotifications,
    deleteExpiredReplyAddresses,
    deleteOldDigests,
    purgeLinkPreviews,
    detectMissingLanguages,
    scheduleLinkChecks,
    enqueuePendingScans,
    enqueueTextExtraction,
  ].map(inTransaction),
  ({ db }) =>
    run(
      db,
      sql`delete from outbox where handled_at < ${addMilliseconds(now(), -7 * DAY)}
      and not exists (select 1 from outbox_failures f where f.outbox_id = outbox.id)`,
    ),
  ({ db }) =>
    run(
      db,
      sql`delete from mails where sent_at < ${addMilliseconds(now(), -30 * DAY)} or given_up_at < ${addMilliseconds(now(), -30 * DAY)} or created_at < ${addMilliseconds(now(), -60 * DAY)}`,
    ),
  ({ db }) => requeueDroppedMail(db, now()),
  ({ db }) => purgeBodies(db, now()),
  ({ db }) => deleteOldBounces(db, now()),
  async ({ database, settings }) => {
    const { logDays } = await settings.get();
    await database.inTransaction((tx) => purgeLogs(tx, logDays));
  },
  purgeOrphanedUploads,
  purgeAbandonedUploads,
  ...[deleteExpiredExports, deleteExpiredGroupExports].map(
    (forget): HousekeepingTask =>
      async ({ database, storage }) => {
        for (const hash of await database.inTransaction(forget)) await storage.remove(hash);
      },
  ),
  ({ files }) => purgeReleasedBytes(files, now()),
  ({ db, imports }) => deleteOldArchives(db, imports, now()),
];

/** Hourly housekeeping. A failing task does not stop the others. */
export async function runHousekeeping(app: WebContext, chores = HOUSEKEEPING): Promise<void> {
  const faults: unknown[] = [];
  for (const chore of chores) await chore(app).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, "not all of the housekeeping was done");
}
