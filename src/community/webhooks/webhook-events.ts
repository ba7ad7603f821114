import { findAffectedMember, AUTOMATION_EVENT_TYPES, listAutomatedChanges } from "#community/api-entities";
import type { WebhookEvent } from "#community/rules";
import { isKeyOf } from "#platform/objects";
import type { DomainEvent } from "#platform/outbox";

/** A change of a record, with the ids from which the record is read when it is sent. */
export type WebhookChange = {
  event: WebhookEvent;
  table: "Discussions" | "Posts" | "Resources" | "Events" | "Memberships" | "Reports" | "Groups" | "Users";
  kind: "created" | "updated" | "deleted";
  /** Ids of the record and of its containers, by API name. */
  ids: { objectId: string } & Record<string, string | null>;
};

/** Webhook events for the changes that automations report too, by entity and kind of change. */
const ENTITY_EVENTS: Partial<
  Record<WebhookChange["table"], Partial<Record<WebhookChange["kind"], WebhookEvent>>>
> = {
  Discussions: {
    created: "discussion.created",
    updated: "discussion.updated",
    deleted: "discussion.deleted",
  },
  Posts: { created: "post.created", updated: "post.updated", deleted: "post.deleted" },
  Resources: { created: "resource.created", updated: "resource.updated", deleted: "resource.deleted" },
  Groups: { created: "group.created" },
  Users: { created: "person.joined" },
};

const CALENDAR_EVENTS: Record<string, WebhookEvent> = {
  "calendar.created": "event.created",
  "calendar.changed": "event.changed",
  "calendar.postponed": "event.changed",
  "calendar.series-changed": "event.changed",
  "calendar.cancelled": "event.cancelled",
  "calendar.series-cancelled": "event.cancelled",
  "calendar.answered": "event.answered",
  "calendar.reminder": "event.soon",
};

const MEMBERSHIP_EVENTS: Record<string, WebhookEvent> = {
  "group.joined": "member.joined",
  "group.join_approved": "member.joined",
  "group.ban_undone": "member.joined",
  "group.left": "member.left",
  "group.removed": "member.left",
  "group.banned": "member.left",
};

/** Types of all domain events about which webhooks are called. */
export const WEBHOOK_EVENT_TYPES: readonly string[] = [
  ...new Set([
    ...AUTOMATION_EVENT_TYPES,
    ...Object.keys(CALENDAR_EVENTS),
    ...Object.keys(MEMBERSHIP_EVENTS),
    "report.created",
  ]),
];

const idOrNull = (value: DomainEvent[string] | undefined) => (typeof value === "string" ? value : null);

/** Lists the changes of a domain event that are reported to webhooks. */
export function listWebhookChanges(domainEvent: DomainEvent): WebhookChange[] {
  const { type } = domainEvent;
  const groupId = idOrNull(domainEvent["groupId"]);
  if (type === "report.created")
    return [
      {
        event: "report.created",
        table: "Reports",
        kind: "created",
        ids: { objectId: String(domainEvent["reportId"]) },
      },
    ];
  const calendarEvent = CALENDAR_EVENTS[type];
  if (calendarEvent === "event.soon" && domainEvent["before"] !== "hour") return [];
  if (calendarEvent) {
    const objectId = String(domainEvent["eventId"]);
    const kind = calendarEvent === "event.created" ? "created" : "updated";
    return [{ event: calendarEvent, table: "Events", kind, ids: { objectId, groupId } }];
  }
  const membershipEvent = MEMBERSHIP_EVENTS[type];
  if (membershipEvent) {
    const personId = findAffectedMember(domainEvent);
    const kind = membershipEvent === "member.joined" ? "created" : "deleted";
    const ids = { objectId: `${groupId}:${personId}`, groupId, personId };
    return [{ event: membershipEvent, table: "Memberships", kind, ids }];
  }
  return listAutomatedChanges(domainEvent).flatMap(({ table, event: kind, ids }) => {
    // A reply changes its discussion too, but it has an event of its own.
    if (type === "post.written" && table === "Discussions") return [];
    if (kind !== "created" && kind !== "updated" && kind !== "deleted") return [];
    if (!isKeyOf(ENTITY_EVENTS, table)) return [];
    const event = ENTITY_EVENTS[table]?.[kind];
    return event ? [{ event, table, kind, ids }] : [];
  });
}
