import { type Db, one, sql } from "#platform/database";
import { isOneOf, keysOf } from "#platform/objects";
import type { DomainEvent } from "#platform/outbox";
import { isContentReadable, isDiscussionReadable, viewerMembership } from "#community/groups";
import { joinResourceGroup } from "#community/resources";
import { isStaff, type Viewer } from "#community/rules";
import type { SqlFragment } from "./entities/entity.ts";

type ChangeEvent = "created" | "updated" | "deleted";
/** Events of the calendar that are no change of a record. */
type CalendarChange = "cancelled" | "answered" | "tomorrow" | "soon";

/**
 * Domain events by entity that can trigger automations. Entities are left out if they are private
 * (conversations, friendships, blocks, bookmarks, notifications) or not readable by the site's operator
 * (memberships, reactions). Restored content counts as created, so that an external copy built from created,
 * updated and deleted records is complete.
 */
const EVENTS_BY_ENTITY = {
  Users: {
    created: ["person.joined"],
    updated: ["person.changed", "person.role-changed", "person.status-changed", "person.left"],
    deleted: ["person.erased"],
  },
  Groups: {
    created: ["group.created", "group.approved", "group.restored"],
    updated: ["group.changed", "group.archived", "group.unarchived", "group.opened"],
    deleted: ["group.deleted"],
  },
  Discussions: {
    created: ["discussion.started", "discussion.split-off", "discussion.restored"],
    updated: [
      ...(
        "renamed tagged language-changed locked unlocked pinned unpinned resolved reopened archived " +
        "unarchived moved split merged"
      )
        .split(" ")
        .map((it) => `discussion.${it}`),
      "post.written",
    ],
    deleted: ["discussion.deleted"],
  },
  Posts: {
    created: ["post.written", "discussion.started", "post.restored", "post.unhidden"],
    updated: ["post.edited"],
    deleted: ["post.deleted", "post.removed", "post.hidden"],
  },
  Resources: {
    created: ["resource.added", "resource.saved", "resource.restored", "resource.unhidden"],
    // A new version of a resource also emits an edit; only the edit is reported.
    updated: ["edited", "moved", "address-accepted", "link-died", "link-revived", "link-checked"].map(
      (it) => `resource.${it}`,
    ),
    deleted: ["resource.removed", "resource.hidden"],
  },
  Comments: {
    created: ["comment.written", "comment.restored", "comment.unhidden"],
    updated: ["comment.edited"],
    deleted: ["comment.deleted", "comment.removed", "comment.hidden"],
  },
  // An event is cancelled, not deleted. Of a series, its first changed date is reported.
  Events: {
    created: ["calendar.created"],
    updated: ["calendar.changed", "calendar.postponed", "calendar.series-changed"],
    cancelled: ["calendar.cancelled", "calendar.series-cancelled"],
    answered: ["calendar.answered"],
    tomorrow: ["calendar.reminder day"],
    soon: ["calendar.reminder hour"],
  },
} satisfies Record<string, Partial<Record<ChangeEvent | CalendarChange, string[]>>>;

/** Type of a domain event as the table above names it. There is one for reminders of each kind. */
const typeInTable = ({ type, before }: DomainEvent): string =>
  type === "calendar.reminder" ? `${type} ${String(before)}` : type;

type AutomatedEntity = keyof typeof EVENTS_BY_ENTITY;
export const AUTOMATED_ENTITIES = keysOf(EVENTS_BY_ENTITY);

/** A created, updated or deleted record, and its containers. */
export type AutomatedChange = {
  table: AutomatedEntity;
  event: ChangeEvent | CalendarChange;
  ids: { objectId: string } & Record<string, string | null>;
};

/** Events of each entity that automations can use. */
export const AUTOMATED_EVENTS: Readonly<Record<string, readonly AutomatedChange["event"][]>> =
  Object.fromEntries(AUTOMATED_ENTITIES.map((table) => [table, keysOf(EVENTS_BY_ENTITY[table])]));

/** Whether a change is one that `listAutomatedChanges` lists. */
export const isAutomatedChange = (
  change: Pick<AutomatedChange, "ids"> & { table: string; event: string },
): change is AutomatedChange => isOneOf(AUTOMATED_EVENTS[change.table] ?? [], change.event);

const CHANGES_BY_TYPE = new Map<string, Pick<AutomatedChange, "table" | "event">[]>();
for (const table of AUTOMATED_ENTITIES) {
  const events: Partial<Record<AutomatedChange["event"], string[]>> = EVENTS_BY_ENTITY[table];
  for (const event of keysOf(events))
    for (const type of events[event] ?? [])
      CHANGES_BY_TYPE.set(type, [...(CHANGES_BY_TYPE.get(type) ?? []), { table, event }]);
}
/** The types of all domain events above. */
export const AUTOMATION_EVENT_TYPES: readonly string[] = [
  ...new Set([...CHANGES_BY_TYPE.keys()].map((it) => it.split(" ")[0]!)),
];

/** The fields of a domain event with the ids of the record and its containers. */
const ID_FIELDS: Record<AutomatedEntity, { id: string; places: string[] }> = {
  Users: { id: "personId", places: [] },
  Groups: { id: "groupId", places: [] },
  Discussions: { id: "discussionId", places: ["groupId"] },
  Posts: { id: "postId", places: ["discussionId", "groupId"] },
  Resources: { id: "resourceId", places: ["groupId"] },
  Comments: { id: "postId", places: ["resourceId", "groupId"] },
  Events: { id: "eventId", places: ["groupId"] },
};

/** Records changed by a domain event: at most one of each entity. */
export const listAutomatedChanges = (domainEvent: DomainEvent): AutomatedChange[] =>
  (CHANGES_BY_TYPE.get(typeInTable(domainEvent)) ?? []).map(({ table, event }) => {
    const { id, places } = ID_FIELDS[table];
    const standing = places.map((place) => [place, textOrNull(domainEvent[place])] as const);
    return {
      table,
      event,
      ids: { ...Object.fromEntries(standing), objectId: textOrNull(domainEvent[id]) ?? "" },
    };
  });

const textOrNull = (value: DomainEvent[string] | undefined): string | null =>
  typeof value === "string" ? value : null;

/**
 * Whether the automation's viewer could read a deleted record before its deletion. Records that were never
 * published are not reported.
 */
const WAS_READABLE: Record<AutomatedEntity, (viewer: Viewer, id: string) => SqlFragment> = {
  // The erasure of an account is reported to staff only: guests have not seen the account for a month.
  Users: (viewer) => sql`${isStaff(viewer)}::boolean`,
  Groups: (_viewer, id) => sql`exists (select from groups g where g.id = ${id} and g.visibility <> 'secret')`,
  Discussions: (viewer, id) => sql`exists (
    select from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
    where d.id = ${id} and ${isDiscussionReadable("d", "g", "m")})`,
  Posts: (viewer, id) => sql`exists (
    select from posts p join discussions d on d.id = p.discussion_id
    join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
    where p.id = ${id} and ${isDiscussionReadable("d", "g", "m")})`,
  Resources: (viewer, id) =>
    sql`exists (select from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
      where r.id = ${id} and ${resourceReadable})`,
  Comments: (viewer, id) => sql`exists (
    select from posts p join resources r on r.id = p.resource_id ${joinResourceGroup(viewer, "r", "g", "m")}
    where p.id = ${id} and r.state in ('published', 'removed') and ${resourceReadable})`,
  // Events are never reported as deleted.
  Events: () => sql`false`,
};
/** `isResourceVisible` in any state of the resource. */
const resourceReadable = sql`(r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})`;

/** Whether the viewer (a guest or the operator) could read a record before it was deleted. */
export const couldReadRecord = async (
  db: Db,
  { table, ids }: AutomatedChange,
  viewer: Viewer,
): Promise<boolean> =>
  (await one(db, sql<{ stood: boolean }>`select ${WAS_READABLE[table](viewer, ids.objectId)} as stood`))
    .stood;

/**
 * Maximum characters of a text in an automation record; the full text has to be read from the record itself.
 */
const MAX_TEXT_LENGTH = 16_000;

/**
 * A record as stored for automations: without the email address, which is stored only with the account, and
 * with long texts cut.
 */
export const toAutomationRecord = ({
  email: _email,
  ...record
}: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed() : value,
    ]),
  );
