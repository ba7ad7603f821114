import type { Database } from "#platform/database";
import { run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { createSigner } from "#platform/signing";
import { openSettings } from "#community/settings";
import type { MailContext, NoticeRow as NotificationRow } from "#community/mail";

/** Creates an app context for tests of mail. */
export const createMailContext = (database: Database, more: Partial<MailContext> = {}): MailContext => ({
  db: database.db,
  database,
  settings: openSettings(database),
  signer: createSigner(Buffer.alloc(32, 5)),
  origin: () => "https://kith.test",
  log: createLog("silent"),
  replyBox: null,
  ...more,
});

type NotificationInput = Partial<NotificationRow> &
  Pick<NotificationRow, "kind" | "objectKind" | "objectId"> & { personId: string; mailAt: Date };

/** Inserts a notification. */
export const insertNotification = (
  database: Database,
  { personId, mailAt, ...it }: NotificationInput,
): Promise<number> =>
  database.inTransaction((tx) =>
    run(
      tx,
      sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, detail, actors,
        items, latest_id, count, stored_name, words, moment, created_at, updated_at, mail_at)
          values (${tx.newId()}, ${personId}, ${it.kind}, ${it.objectKind}, ${it.objectId},
            ${it.reason ?? "you_wrote"}, ${it.detail ?? ""},
            ${it.actors ?? []}::uuid[], ${it.items ?? []}::uuid[], ${it.latestId ?? it.items?.[0] ?? null},
            ${it.count ?? 1},
            ${it.keptName ?? null}, ${it.words ?? ""}, ${it.moment ?? null}, ${tx.now}, ${tx.now},
            ${mailAt})`,
    ),
  );
