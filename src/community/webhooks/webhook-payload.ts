import { couldReadRecord, getEntityRow, isAutomatedChange, readRecordFor } from "#community/api-entities";
import { type CalendarEvent, getEvent } from "#community/calendar";
import { getReportSummary, type ReportRow } from "#community/moderation";
import { isStaff, type SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { WebhookChange } from "./webhook-events.ts";

/** Version of the form of payloads. It changes only if existing fields change their meaning. */
export const PAYLOAD_VERSION = 1;

type WebhookRecord = { ___class: string; objectId: string } & Record<string, unknown>;

/**
 * The record of a change as this person may read it now; null if they may not. Of a deleted record only ids
 * are left, for people who could read it.
 */
export async function readWebhookRecord(
  db: Db,
  viewer: SignedIn,
  change: WebhookChange,
): Promise<WebhookRecord | null> {
  try {
    return await READERS[change.table](db, viewer, change);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

type RecordReader = (db: Db, viewer: SignedIn, change: WebhookChange) => Promise<WebhookRecord | null>;

const readEntity: RecordReader = async (db, viewer, { table, kind, ids }) => {
  if (kind === "deleted") {
    const gone = { table, event: kind, ids };
    return isAutomatedChange(gone) && (await couldReadRecord(db, gone, viewer))
      ? { ___class: table, ...ids }
      : null;
  }
  // The email address is left out: it is stored only with the account.
  const { email: _email, ...row } = await getEntityRow(db, viewer, table, ids.objectId);
  if (row["stub"] !== undefined && row["stub"] !== null) return null;
  return toApiRecord(table, row);
};

const READERS: Record<WebhookChange["table"], RecordReader> = {
  Discussions: readEntity,
  Posts: readEntity,
  Resources: readEntity,
  Groups: readEntity,
  Users: async (db, viewer, change) => (isStaff(viewer) ? readEntity(db, viewer, change) : null),
  Memberships: async (db, viewer, { kind, ids }) => {
    const memberIds = { objectId: ids.objectId, groupId: ids["groupId"]!, personId: ids["personId"]! };
    const change = { table: "Memberships", event: kind, ids: memberIds } as const;
    const record = (await readRecordFor(db, change, [viewer.id]))?.(viewer.id);
    // The membership of someone who has left since is not sent, although moderators can read it.
    return record && (kind === "deleted" || record["state"] === "member") ? record : null;
  },
  Events: async (db, viewer, { ids }) => toEventRecord(await getEvent(db, viewer, ids.objectId)),
  Reports: async (db, viewer, { ids }) => toReportRecord(await getReportSummary(db, viewer, ids.objectId)),
};

const toMilliseconds = (at: Date | null) => (at === null ? null : new Date(at).getTime());

/** A row in API form: times in milliseconds. */
const toApiRecord = (table: string, row: { objectId: string } & Record<string, unknown>): WebhookRecord => ({
  ___class: table,
  ...row,
  ...Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value instanceof Date ? [[name, value.getTime()]] : [])),
  ),
});

/** The link to take part online is left out, since it is shown only to people who are going. */
const toEventRecord = (event: CalendarEvent): WebhookRecord => ({
  ___class: "Events",
  objectId: event.id,
  ownerId: event.hostId,
  created: toMilliseconds(event.createdAt),
  groupId: event.group.id,
  title: event.title,
  startsAt: toMilliseconds(event.startsAt),
  endsAt: toMilliseconds(event.endsAt),
  allDay: event.allDay,
  timeZone: event.timeZone,
  place: event.place,
  capacity: event.capacity,
  going: event.going,
  cancelledAt: toMilliseconds(event.cancelledAt),
  cancelledReason: event.cancelledReason,
  postponedAt: toMilliseconds(event.postponedAt),
  postponedReason: event.postponedReason,
  seriesId: event.seriesId,
  discussionId: event.description?.discussionId ?? null,
});

/** The reporter is left out: moderators find them on the page of the report. */
const toReportRecord = ({ id, appeal, place, group, reason, createdAt }: ReportRow): WebhookRecord => ({
  ___class: "Reports",
  objectId: id,
  created: toMilliseconds(createdAt),
  groupId: group?.id ?? null,
  kind: place === null ? "message" : place.postId === null ? place.kind : "post",
  subjectId: place === null ? null : (place.postId ?? place.id),
  appeal,
  reason,
});
