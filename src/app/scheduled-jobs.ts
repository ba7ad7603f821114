import { PUSH_TASK, requeueDuePushes, deliverPush } from "#baas/devices";
import { refreshDueSubscriptions } from "#baas/purchases";
import {
  emitDueReminders,
  readDueSubscriptions,
  readSubscription,
  SUBSCRIPTION_TASK,
} from "#community/calendar";
import { fetchLinkPreview } from "#community/discussions";
import { completeGroupExport } from "#community/groups";
import { processMailFolder, mailDigests, sendNotificationMail, sendReminderMail } from "#community/mail";
import { notifyNextBatch } from "#community/notifications";
import { ACCOUNT_MAIL_TASK, RequestedMail, sendRequestedMail, completeExport } from "#community/accounts";
import { enqueuePushes, sendPush } from "#community/push";
import { sendSearchAlerts } from "#community/search";
import { checkDueLinks } from "#community/resources";
import { continueImport, makePersonalExport, makeGroupExport, undoImport } from "#community/import-export";
import { extractFileText, scanFile } from "#community/uploads";
import { addMilliseconds, SECOND } from "#platform/clock";
import type { Environment } from "#platform/environment";
import { createFetcher, type Fetcher } from "#platform/fetcher";
import { enqueueJob as laterJob, startWorkers, type Tasks } from "#platform/jobs";
import { type EmailRenderer, createMailSender } from "#platform/mail";
import { createWebPushClient } from "#platform/web-push";
import type { Message } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { WebContext } from "#web/server";
import { runDeferredCall, type RestContext, SERVICE_CALL_TASK } from "#api/rest";
import { vapidContact } from "./push-providers.ts";
import { createPurchaseContext } from "./purchase-grants.ts";
import type { Secrets } from "./secrets.ts";
import { runDueChanges, removeStrayFiles, HOUSEKEEPING_TASKS, runHousekeeping } from "./housekeeping.ts";

const now = () => new Date();

/** Cron schedule: minute, hour, day, month, weekday, task. */
const SCHEDULE = [
  "7 * * * * housekeeping",
  "* * * * * notices",
  "20 * * * * digests",
  "* * * * * reminders",
  "* * * * * pushes",
  "* * * * * device-pushes",
  "* * * * * mail-in",
  "* * * * * links",
  "*/10 * * * * searches",
  "*/10 * * * * calendars",
  "37 4 * * * strays",
];

/**
 * Starts the job workers and the schedule: two jobs at a time, and a separate queue for jobs that take
 * minutes.
 */
export const startScheduledJobs = (app: WebContext, options: JobOptions) =>
  startWorkers(app.database, app.log, [
    { tasks: createJobs(app, options), atOnce: 2, calendar: SCHEDULE },
    { tasks: createLongJobs(app, createFetcher()), atOnce: 2 },
  ]);

type TranslateMessage = (locale: string, message: Message) => Promise<string>;
type JobOptions = {
  environment: Environment;
  secrets: Pick<Secrets, "push">;
  renderer: EmailRenderer;
  translate: TranslateMessage;
  api: RestContext;
};

function createJobs(app: WebContext, { environment, secrets, renderer, translate, api }: JobOptions): Tasks {
  const fetcher = createFetcher();
  const post = createMailSender({
    smtpUrl: environment.smtpUrl,
    from: environment.mailFrom,
    renderer,
    replyBox: environment.replyBox,
  });
  const mailContext = { ...app, replyBox: environment.replyBox, translate };
  const push = createWebPushClient({
    keys: secrets.push,
    contact: vapidContact(app.origin(), environment.mailFrom),
    fetcher,
  });
  const purchases = createPurchaseContext(app, environment);
  const pushHouse = { ...mailContext, push, now };
  return {
    mail: ({ mailId }) => post.deliver(app.db, String(mailId), now()),
    [SERVICE_CALL_TASK]: (payload) => runDeferredCall(api, payload),
    [ACCOUNT_MAIL_TASK]: (payload) => sendRequestedMail(app, RequestedMail.parse(payload)),
    digests: async () => void (await mailDigests(mailContext)),
    pushes: () => schedulePushes(app),
    "push-again": async () => void (await enqueuePushes(app)),
    push: ({ subscriptionId, notificationId }) =>
      sendPush(pushHouse, { subscriptionId: String(subscriptionId), notificationId: String(notificationId) }),
    [PUSH_TASK]: ({ pushId }) => deliverPush(app.devices, String(pushId)),
    "device-pushes": () => requeueDuePushes(app.db, now()),
    "mail-in": async () =>
      void (environment.mailInFolder && (await processMailFolder(mailContext, environment.mailInFolder))),
    reminders: async () => {
      await app.database.inTransaction(emitDueReminders);
      await sendReminderMail(mailContext);
    },
    notices: async () => void (await sendNotificationMail(mailContext)),
    "link-preview": ({ address, before }) =>
      fetchLinkPreview(app.database, fetcher, String(address), Number(before ?? 0)),
    notify: ({ outboxId, after }) =>
      notifyNextBatch(app.database, { outboxId: String(outboxId), after: String(after) }),
    housekeeping: () =>
      runHousekeeping(app, [...HOUSEKEEPING_TASKS, () => refreshDueSubscriptions(purchases)]),
    links: async () => void (await checkDueLinks(app.database, fetcher)),
    searches: async () => void (await sendSearchAlerts(app)),
    "read-file": ({ hash }) => extractFileText(app, String(hash)),
    "scan-file": ({ uploadId }) => scanFile(app, String(uploadId)),
    due: () => runDueChanges(app.database),
  };
}

/**
 * Jobs that may take long, such as those on an archive or on all files. They are separate, so that mail and
 * notifications do not wait for them.
 */
const createLongJobs = (
  app: Pick<WebContext, "database" | "settings" | "files" | "storage" | "scanner" | "origin">,
  fetcher: Fetcher,
): Tasks => ({
  "personal-export": async ({ exportId }) => {
    const personalExport = await makePersonalExport(app, String(exportId));
    if (personalExport) await completeExport(app, personalExport);
  },
  "group-export": ({ exportId }) => exportGroup(app, String(exportId)),
  import: ({ runId }) => ignoreRefusal(continueImport(app, String(runId))),
  "import-undo": ({ runId }) =>
    ignoreRefusal(undoImport(app, { runId: String(runId), by: null, includeNewContent: true })),
  strays: () => removeStrayFiles(app),
  calendars: async () => void (await readDueSubscriptions(app.database, fetcher)),
  [SUBSCRIPTION_TASK]: async ({ subscriptionId }) =>
    void (await readSubscription(app.database, fetcher, String(subscriptionId))),
});

async function exportGroup(
  app: Pick<WebContext, "database" | "settings" | "storage" | "origin">,
  exportId: string,
) {
  const groupExport = await makeGroupExport(app, exportId);
  if (!groupExport) return;
  const { name: community } = await app.settings.get();
  const linkTo = (slug: string) => `${app.origin()}/groups/${slug}/manage/end#export`;
  await app.database.inTransaction((tx) => completeGroupExport(tx, groupExport, { community, linkTo }));
}

/**
 * Ignores a refusal, because the run has stored it for the person who requested the run. The refusal because
 * of another active run is thrown, so that the job is retried.
 */
async function ignoreRefusal(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === "conflict") throw error;
  }
}

/** Sends pushes every twenty seconds: cron starts this job each minute, and it schedules two further runs. */
async function schedulePushes({ database, db }: Pick<WebContext, "database" | "db">) {
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
