import {
  type EntityChange,
  listChanges,
  listAffectedPeople,
  findAffectedMember,
  readRecordFor,
} from "#community/api-entities";
import { uuidv7 } from "#platform/ids";
import type { DomainEvent } from "#platform/outbox";
import type { SubscriptionScope } from "./realtime-caller.ts";
import { updatePresenceVisibility, messageOf, announceDeparture } from "./community-channels.ts";
import type { IndexedSubscription } from "./subscription-index.ts";
import { closeRevokedSubscriptions } from "./revoke-subscriptions.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { listPersonIds } from "./person-ids.ts";
import { recheckGuests, endSessions } from "./session-end.ts";
import { meetsCondition } from "./record-condition.ts";

/**
 * Delivers a domain event to the subscribers of this process: first records, then counts, then revocations.
 * If delivering records or counts fails, the affected clients are disconnected and reload. A failed
 * revocation may affect every client, so its error is thrown.
 */
export async function deliverEvent(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "log" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  domainEvent: DomainEvent,
): Promise<void> {
  for (const change of listChanges(domainEvent)) await deliverChange(app, subscriptions, change);
  await revokeSubscriptions(app, subscriptions, domainEvent);
  await signalCounts(app, subscriptions, domainEvent).catch((error: unknown) => {
    app.log.warn({ err: error, type: domainEvent.type }, "changed counts could not be delivered to sockets");
    for (const caller of subscriptions.callers)
      if (subscriptions.own.has(caller.viewer.id ?? "")) caller.end();
  });
}

/** Delivers to subscribers of the record, if there are any. */
async function deliverChange(
  app: Pick<RealtimeContext, "db" | "log">,
  subscriptions: SubscriptionRegistry,
  change: EntityChange,
) {
  const audience = subscriptions.index.concernedBy(change);
  if (audience.length === 0) return;
  await deliverRecord(app, change, audience).catch((error: unknown) => {
    app.log.warn({ err: error, table: change.table }, "a record could not be delivered to sockets");
    for (const { caller } of audience) caller.end();
  });
}

/**
 * Delivers a record. One statement loads it with the permissions of all subscribers; each gets the fields
 * they may see.
 */
async function deliverRecord(
  app: Pick<RealtimeContext, "db">,
  change: EntityChange,
  audience: IndexedSubscription[],
) {
  const recordFor = await readRecordFor(app.db, change, listPersonIds(audience.map(({ caller }) => caller)));
  if (!recordFor) return;
  for (const { caller, following } of audience) {
    const record = recordFor(caller.viewer.id);
    if (
      !record ||
      !meetsCondition(following.where, record) ||
      caller.subscriptions.get(following.id) !== following
    )
      continue;
    const data =
      change.event === "deleted" ? { ___class: record.___class, objectId: record.objectId } : record;
    caller.send("SUB_RES", { id: following.id, data });
  }
}

/**
 * Signals on a person's own channel that their counts may have changed. The numbers are not sent; the client
 * requests them.
 */
async function signalCounts(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  domainEvent: DomainEvent,
) {
  if (subscriptions.own.size === 0) return;
  const about = {
    about: domainEvent.type.split(".")[0],
    conversationId: domainEvent["conversationId"] ?? null,
    eventId: domainEvent["eventId"] ?? null,
    ...(domainEvent["datePollId"] && { datePollId: domainEvent["datePollId"] }),
    ...(domainEvent["seriesId"] && { seriesId: domainEvent["seriesId"] }),
  };
  const [messageId, at] = [uuidv7(), Date.now()];
  for (const { id: personId, news } of await listAffectedPeople(app.db, domainEvent, [
    ...subscriptions.own,
  ])) {
    const message = messageOf(messageId, at, { ...about, news });
    for (const [caller, ids] of subscriptions.on(`user:${personId}`, "messages"))
      for (const id of ids) caller.send("SUB_RES", { id, data: message });
  }
}

const PERSON_EVENTS = /^person\.(status-changed|role-changed|left|erased|sessions-ended|blocked|unblocked)$/;

/**
 * Closes subscriptions when an event ends access to them: a session or account ends, a person leaves a group,
 * or a group or discussion is removed.
 */
async function revokeSubscriptions(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "log" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  domainEvent: DomainEvent,
) {
  const { type, by, personId, groupId, discussionId, fromDiscussionId, conversationId, resourceId } =
    domainEvent;
  if (type === "settings.changed") return recheckGuests(app, subscriptions);
  if (type === "person.changed") return hidePresence(app, subscriptions, String(personId));
  if (PERSON_EVENTS.test(type)) {
    await endSessions(
      app,
      subscriptions,
      [...subscriptions.callers].filter(({ viewer }) => viewer.id === personId),
    );
    // A block affects subscriptions of both people.
    const both = type === "person.blocked" ? [personId, by] : [personId];
    if (type === "person.blocked") hideFromEachOther(subscriptions, String(personId), String(by));
    return closeRevokedSubscriptions(
      app,
      subscriptions,
      ({ viewer }) => viewer.id !== null && both.includes(viewer.id),
    );
  }
  if (/^conversation\.(left|removed|participant_changed)$/.test(type)) {
    const gone = personId ?? by;
    return closeRevokedSubscriptions(
      app,
      subscriptions,
      ({ viewer }) => viewer.id === gone,
      (scope) => scope.id === conversationId,
    );
  }
  // Deleting, moving or merging a discussion may end access to it.
  if (/^discussion\.(?!read|followed|started)/.test(type))
    return closeRevokedSubscriptions(
      app,
      subscriptions,
      () => true,
      (scope) => scope.id === discussionId || scope.id === fromDiscussionId,
    );
  if (/^resource\.(removed|moved|hidden)$/.test(type))
    return closeRevokedSubscriptions(
      app,
      subscriptions,
      () => true,
      (scope) => scope.id === resourceId,
    );
  if (!type.startsWith("group.")) return;
  const subject = findAffectedMember(domainEvent);
  const inGroup = (scope: SubscriptionScope) => scope.groupId === groupId;
  await closeRevokedSubscriptions(
    app,
    subscriptions,
    ({ viewer }) => subject === null || viewer.id === subject,
    inGroup,
  );
}

/** After a privacy change, hides a person from listeners who may no longer see them. */
async function hidePresence(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  personId: string,
) {
  for (const caller of [...subscriptions.callers].filter(({ viewer }) => viewer.id === personId))
    for (const it of caller.subscriptions.values())
      if (it.kind === "channel" && it.side === "connect")
        await updatePresenceVisibility(app, subscriptions, caller, it.channel);
}

/** Announces the departure of each of two people to the other one, on channels where both are present. */
function hideFromEachOther(subscriptions: SubscriptionRegistry, one: string, other: string) {
  for (const [gone, left] of [
    [one, other],
    [other, one],
  ])
    for (const caller of subscriptions.callers)
      if (caller.viewer.id === gone)
        for (const it of caller.subscriptions.values())
          if (it.kind === "channel" && it.side === "connect")
            announceDeparture(subscriptions, caller, it.channel, ({ viewer }) => viewer.id === left);
}
