import { purgeCache } from "#baas/cache";
import { purgeChangeDetails } from "#baas/data";
import { purgeChannels } from "#baas/messaging";
import { purgeDevices } from "#baas/devices";
import { purgeAutomations } from "#baas/automations";
import { purgeReleasedBytes, removeStrayBytes } from "#baas/files";
import { purgeHives } from "#baas/hive";
import { purgeEmails } from "#baas/email";
import { purgeLogs } from "#baas/logging";
import { purgeSharedObjects } from "#baas/shared-objects";
import { purgeAuditEvents } from "#community/audit";
import { extendSeries, purgeEventImports } from "#community/calendar";
import {
  applyDueChanges,
  detectMissingLanguages,
  purgeDrafts,
  purgeDiscardedDrafts,
  purgePendingPosts,
  purgeOrphanedUploads,
  purgeLinkPreviews,
  purgeDeletedContent,
  sendBookmarkReminders,
  withdrawContentOfLeavers,
} from "#community/discussions";
import { purgeNewcomerTexts, purgeUsedProofs } from "#community/prevention";
import {
  endExpiredBans,
  expireInvitations,
  deleteExpiredGroupExports,
  deleteOldRequests,
  applyDueOpenings,
  purgeDeletedGroups,
} from "#community/groups";
import { deleteOldDigests, deleteExpiredReplyAddresses } from "#community/mail";
import {
  purgeSanctionAppeals,
  purgeInspections,
  purgeReports,
  purgeUnconfirmedGuestReports,
  purgeUndoStates,
} from "#community/moderation";
import { deleteOldNotifications } from "#community/notifications";
import {
  eraseDeactivated,
  deleteExpiredExports,
  liftEndedSanctions,
  deleteExpiredRows,
  deleteUnverified,
} from "#community/accounts";
import { purgeSearchMisses } from "#community/search";
import { purgeRemovedResources, scheduleLinkChecks } from "#community/resources";
import { deleteOldArchives } from "#community/import-export";
import { purgeDeliveries } from "#community/webhooks";
import {
  purgeAbandonedUploads,
  purgeReportFiles,
  enqueueTextExtraction,
  enqueuePendingScans,
} from "#community/uploads";
import { DAY, addMilliseconds } from "#platform/clock";
import { type Database, run, sql, type Tx } from "#platform/database";
import { deleteOldBounces, purgeBodies, requeueDroppedMail } from "#platform/mail";
import type { WebContext } from "#web/server";

const now = () => new Date();

/** Applies changes that people have scheduled: ends bans, closes polls, sends reminders. */
export async function runDueChanges(database: Database) {
  await database.inTransaction(endExpiredBans);
  await database.inTransaction(applyDueChanges);
  await database.inTransaction(sendBookmarkReminders);
  await database.inTransaction(applyDueOpenings);
}

/** Removes files of processes that ended during an upload. */
export async function removeStrayFiles({ files, storage }: Pick<WebContext, "files" | "storage">) {
  await storage.tidy(addMilliseconds(now(), -DAY));
  await removeStrayBytes(files, now());
}

type HousekeepingTask = (
  app: Pick<WebContext, "database" | "db" | "settings" | "files" | "storage" | "imports">,
) => Promise<unknown>;
const inTransaction =
  (work: (tx: Tx) => Promise<unknown>): HousekeepingTask =>
  ({ database }) =>
    database.inTransaction(work);

export const HOUSEKEEPING_TASKS: HousekeepingTask[] = [
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
    purgeUndoStates,
    purgeUnconfirmedGuestReports,
    purgeDrafts,
    purgeDiscardedDrafts,
    purgePendingPosts,
    purgeNewcomerTexts,
    purgeUsedProofs,
    purgeAuditEvents,
    purgeSearchMisses,
    purgeCache,
    purgeChangeDetails,
    purgeHives,
    purgeChannels,
    purgeEmails,
    purgeDevices,
    purgeAutomations,
    purgeDeliveries,
    purgeSharedObjects,
    deleteOldNotifications,
    deleteExpiredReplyAddresses,
    deleteOldDigests,
    purgeLinkPreviews,
    detectMissingLanguages,
    scheduleLinkChecks,
    enqueuePendingScans,
    enqueueTextExtraction,
    extendSeries,
    purgeEventImports,
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
      sql`delete from mails where sent_at < ${addMilliseconds(now(), -30 * DAY)}
        or given_up_at < ${addMilliseconds(now(), -30 * DAY)}
        or created_at < ${addMilliseconds(now(), -60 * DAY)}`,
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
  purgeReportFiles,
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
export async function runHousekeeping(
  app: Parameters<HousekeepingTask>[0],
  chores = HOUSEKEEPING_TASKS,
): Promise<void> {
  const faults: unknown[] = [];
  for (const chore of chores) await chore(app).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, "not all housekeeping tasks completed");
}
