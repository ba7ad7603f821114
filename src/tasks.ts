import { purgeCache } from "#backend/cache";
import { purgeTold } from "#backend/tables";
import { purgeChannels } from "#backend/channels";
import { PUSH_TASK, purgeDevices, pushAgain, workPush } from "#backend/devices";
import { purgeFlows } from "#backend/flows";
import { clearLetGo, clearStrays } from "#backend/files";
import { purgeHives } from "#backend/hive";
import { purgeMails } from "#backend/mails";
import { lookAtDue } from "#backend/purchases";
import { purgeLogs } from "#backend/logs";
import { purgeSharedObjects } from "#backend/shared-objects";
import { forgetActs } from "#community/audit";
import {
  carryOutDue,
  detectMissingLanguages,
  forgetDrafts,
  forgetDropped,
  forgetHeldPosts,
  lookAtLink,
  purgeOrphans,
  purgePreviews,
  purgeTakenAway,
  remindOfBookmarks,
  withdrawWritings,
} from "#community/discussions";
import {
  endBans,
  expireInvitations,
  forgetGroupExports,
  forgetRequests,
  groupExportReady,
  openWhatIsDue,
  purgeDeleted,
} from "#community/groups";
import { emptyFolder, forgetDigests, forgetReplies, mailDigests, mailDue } from "#community/mailing";
import { forgetAppeals, forgetInspections, forgetReports } from "#community/moderation";
import { purgeNotifications, tellTheRest } from "#community/notifications";
import {
  ACCOUNT_MAIL_TASK,
  type AccountMail,
  eraseDeactivated,
  forgetExports,
  liftEndedSanctions,
  purgeExpired,
  purgeUnverified,
} from "#community/people";
import { pushDue, pushOne } from "#community/pushing";
import { purgeMisses, tellOfNews } from "#community/search";
import { checkLinks, purgeRemovedResources, watchLinks } from "#community/resources";
import { clearArchives, continueRun, makeExport, makeGroupExport, takeBack } from "#community/transfer";
import { purgeIncoming, readStored, readUnread, scanAgain, scanFile } from "#community/uploads";
import { DAY, later, SECOND } from "#platform/clock";
import { type Database, run, sql, type Tx } from "#platform/database";
import type { Environment } from "#platform/environment";
import { openFetcher } from "#platform/fetcher";
import { later as laterJob, startLanes, type Tasks } from "#platform/jobs";
import { type Face, forgetBounces, openPost, purgeBodies, takeUpDropped } from "#platform/mail";
import { openPush } from "#platform/push";
import { Refusal } from "#platform/refusal";
import type { House } from "#web/server";
import { callDeferred, type RestHouse, SERVICE_TASK } from "#wire/rest";
import { contactOf } from "./devices.ts";
import { purchasesOf } from "./purchases.ts";
import type { Secrets } from "./secrets.ts";

const now = () => new Date();

/** Cron schedule: minute, hour, day, month, weekday, task. */
const CALENDAR = [
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
export const startTasks = (house: House, given: Given) =>
  startLanes(house.database, house.log, [
    { tasks: tasksOf(house, given), atOnce: 2, calendar: CALENDAR },
    { tasks: longTasksOf(house), atOnce: 2 },
  ]);

type Say = (locale: string, sentence: string) => Promise<string>;
type Given = { environment: Environment; secrets: Pick<Secrets, "push">; face: Face; say: Say; wire: RestHouse };

function tasksOf(house: House, { environment, secrets, face, say, wire }: Given): Tasks {
  const fetcher = openFetcher();
  const post = openPost({ smtpUrl: environment.smtpUrl, from: environment.mailFrom, face, replyBox: environment.replyBox });
  const mailHouse = { ...house, replyBox: environment.replyBox, say };
  const push = openPush({ keys: secrets.push, contact: contactOf(house.origin(), environment.mailFrom), fetcher });
  const purchases = purchasesOf(house, environment);
  const pushHouse = { ...mailHouse, push, now };
  return {
    mail: ({ mailId }) => post.deliver(house.db, String(mailId), now()),
    [SERVICE_TASK]: (payload) => callDeferred(wire, payload),
    [ACCOUNT_MAIL_TASK]: (payload) => house.accounts.writeAccountMail(payload as AccountMail),
    digests: async () => void (await mailDigests(mailHouse)),
    pushes: () => pushSoon(house),
    "push-again": async () => void (await pushDue(house)),
    push: ({ subscriptionId, notificationId }) =>
      pushOne(pushHouse, { subscriptionId: String(subscriptionId), notificationId: String(notificationId) }),
    [PUSH_TASK]: ({ pushId }) => workPush(house.devices, String(pushId)),
    "device-pushes": () => pushAgain(house.db, now()),
    "mail-in": async () => void (environment.mailInFolder && (await emptyFolder(mailHouse, environment.mailInFolder))),
    notices: async () => void (await mailDue(mailHouse)),
    "link-preview": ({ address, before }) => lookAtLink(house.database, fetcher, String(address), Number(before ?? 0)),
    notify: ({ outboxId, after }) => tellTheRest(house.database, { outboxId: String(outboxId), after: String(after) }),
    housekeeping: () => housekeeping(house, [...CHORES, () => lookAtDue(purchases)]),
    links: async () => void (await checkLinks(house.database, fetcher)),
    searches: async () => void (await tellOfNews(house)),
    "read-file": ({ hash }) => readStored(house, String(hash)),
    "scan-file": ({ uploadId }) => scanFile(house, String(uploadId)),
    due: () => whatIsDue(house.database),
  };
}

/** Jobs that take as long as an archive or all files; mail and notifications do not wait for them. */
const longTasksOf = (house: House): Tasks => ({
  "personal-export": async ({ exportId }) => {
    const made = await makeExport(house, String(exportId));
    if (made) await house.accounts.exportReady(made);
  },
  "group-export": ({ exportId }) => exportGroup(house, String(exportId)),
  import: ({ runId }) => unlessRefused(continueRun(house, String(runId))),
  "import-undo": ({ runId }) => unlessRefused(takeBack(house, { runId: String(runId), by: null, evenWritings: true })),
  strays: () => strays(house),
});

async function exportGroup(house: House, exportId: string) {
  const made = await makeGroupExport(house, exportId);
  if (!made) return;
  const { name: community } = await house.settings.get();
  const linkTo = (slug: string) => `${house.origin()}/groups/${slug}/manage/end#take-along`;
  await house.database.inTransaction((tx) => groupExportReady(tx, made, { community, linkTo }));
}

/**
 * The run records the refusal for the person who requested it. While another run is active, the job is
 * retried.
 */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === "conflict") throw error;
  }
}

/** Cron has no less than a minute, too long for a push. */
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

/** Bans that end, polls that close and other moments people set. */
async function whatIsDue(database: Database) {
  await database.inTransaction(endBans);
  await database.inTransaction(carryOutDue);
  await database.inTransaction(remindOfBookmarks);
  await database.inTransaction(openWhatIsDue);
}

/** Files of processes that ended during an upload. */
async function strays({ files, storage }: House) {
  await storage.tidy(later(now(), -DAY));
  await clearStrays(files, now());
}

type Chore = (house: House) => Promise<unknown>;
const within =
  (work: (tx: Tx) => Promise<unknown>): Chore =>
  ({ database }) =>
    database.inTransaction(work);

const CHORES: Chore[] = [
  ({ database }) => whatIsDue(database),
  ...[
    purgeExpired,
    purgeUnverified,
    liftEndedSanctions,
    forgetAppeals,
    withdrawWritings,
    eraseDeactivated,
    purgeDeleted,
    purgeTakenAway,
    purgeRemovedResources,
    expireInvitations,
    forgetRequests,
    forgetReports,
    forgetInspections,
    forgetDrafts,
    forgetDropped,
    forgetHeldPosts,
    forgetActs,
    purgeMisses,
    purgeCache,
    purgeTold,
    purgeHives,
    purgeChannels,
    purgeMails,
    purgeDevices,
    purgeFlows,
    purgeSharedObjects,
    purgeNotifications,
    forgetReplies,
    forgetDigests,
    purgePreviews,
    detectMissingLanguages,
    watchLinks,
    scanAgain,
    readUnread,
  ].map(within),
  ({ db }) =>
    run(
      db,
      sql`delete from outbox where handled_at < ${later(now(), -7 * DAY)}
      and not exists (select 1 from outbox_failures f where f.outbox_id = outbox.id)`,
    ),
  ({ db }) =>
    run(
      db,
      sql`delete from mails where sent_at < ${later(now(), -30 * DAY)} or given_up_at < ${later(now(), -30 * DAY)} or created_at < ${later(now(), -60 * DAY)}`,
    ),
  ({ db }) => takeUpDropped(db, now()),
  ({ db }) => purgeBodies(db, now()),
  ({ db }) => forgetBounces(db, now()),
  async ({ database, settings }) => {
    const { logDays } = await settings.get();
    await database.inTransaction((tx) => purgeLogs(tx, logDays));
  },
  purgeOrphans,
  purgeIncoming,
  ...[forgetExports, forgetGroupExports].map((forget): Chore => async ({ database, storage }) => {
    for (const hash of await database.inTransaction(forget)) await storage.remove(hash);
  }),
  ({ files }) => clearLetGo(files, now()),
  ({ db, imports }) => clearArchives(db, imports, now()),
];

/** Hourly housekeeping. A failing task does not stop the others. */
export async function housekeeping(house: House, chores = CHORES): Promise<void> {
  const faults: unknown[] = [];
  for (const chore of chores) await chore(house).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, "not all of the housekeeping was done");
}
