import { type Db, one, sql } from "#platform/database";
import type { Happening } from "#platform/outbox";
import { contentReadable, discussionReadable, viewersTie } from "#community/groups";
import { resourcesGroup } from "#community/resources";
import { isStaff, type Viewer } from "#community/rules";
import type { Piece } from "./nouns/noun.ts";

export const AUTOMATED_EVENTS = ["created", "updated", "deleted"] as const;
type Event = (typeof AUTOMATED_EVENTS)[number];

/**
 * Domain events by entity that can trigger automations. Left out are entities that are private
 * (conversations, friendships, blocks, bookmarks, notifications) or not readable by the site's operator
 * (memberships, reactions). Restored content counts as created, so that a copy kept by the three events is
 * complete.
 */
const HAPPENINGS = {
  Users: {
    created: ["person.joined"],
    updated: ["person.changed", "person.role-changed", "person.status-changed", "person.left"],
    deleted: ["person.erased"],
  },
  Groups: {
    created: ["group.created", "group.let_in", "group.brought_back"],
    updated: ["group.changed", "group.archived", "group.unarchived", "group.opened"],
    deleted: ["group.deleted"],
  },
  Discussions: {
    created: ["discussion.started", "discussion.split-off", "discussion.restored"],
    updated: [
      ..."renamed tagged language-changed locked unlocked pinned unpinned resolved reopened archived unarchived moved split merged"
        .split(" ")
        .map((it) => `discussion.${it}`),
      "post.written",
    ],
    deleted: ["discussion.deleted"],
  },
  Posts: {
    created: ["post.written", "discussion.started", "post.restored", "post.shown"],
    updated: ["post.edited"],
    deleted: ["post.deleted", "post.removed", "post.hidden"],
  },
  Resources: {
    created: ["resource.added", "resource.kept", "resource.restored"],
    // A new version also emits an edit, and is reported once.
    updated: ["edited", "moved", "address-accepted", "link-died", "link-revived", "link-checked"].map((it) => `resource.${it}`),
    deleted: ["resource.removed"],
  },
  Comments: {
    created: ["comment.written", "comment.restored", "comment.shown"],
    updated: ["comment.edited"],
    deleted: ["comment.deleted", "comment.removed", "comment.hidden"],
  },
} satisfies Record<string, Record<Event, string[]>>;

type Automated = keyof typeof HAPPENINGS;
export const AUTOMATED = Object.keys(HAPPENINGS) as Automated[];

/** A created, updated or deleted record, and its containers. */
export type AutomatedChange = { table: Automated; event: Event; ids: { objectId: string } & Record<string, string | null> };

const BY_TYPE = new Map<string, Pick<AutomatedChange, "table" | "event">[]>();
for (const table of AUTOMATED)
  for (const event of AUTOMATED_EVENTS)
    for (const type of HAPPENINGS[table][event]) BY_TYPE.set(type, [...(BY_TYPE.get(type) ?? []), { table, event }]);
/** The types of all these domain events. */
export const AUTOMATED_BY: readonly string[] = [...BY_TYPE.keys()];

/** The fields of a domain event that name the record and its containers. */
const NAMES: Record<Automated, { id: string; places: string[] }> = {
  Users: { id: "personId", places: [] },
  Groups: { id: "groupId", places: [] },
  Discussions: { id: "discussionId", places: ["groupId"] },
  Posts: { id: "postId", places: ["discussionId", "groupId"] },
  Resources: { id: "resourceId", places: ["groupId"] },
  Comments: { id: "postId", places: ["resourceId", "groupId"] },
};

/** Records changed by a domain event: at most one of each entity. */
export const automatedChangesIn = (happening: Happening): AutomatedChange[] =>
  (BY_TYPE.get(happening.type) ?? []).map(({ table, event }) => {
    const { id, places } = NAMES[table];
    const standing = places.map((place) => [place, text(happening[place])] as const);
    return { table, event, ids: { ...Object.fromEntries(standing), objectId: text(happening[id]) ?? "" } };
  });

const text = (value: Happening[string] | undefined): string | null => (typeof value === "string" ? value : null);

/**
 * Whether the automation's viewer could read a record until it was deleted. Unpublished records are never
 * reported.
 */
const STOOD: Record<Automated, (viewer: Viewer, id: string) => Piece> = {
  // An erased account has no data left, and guests could not see it for a month before.
  Users: (viewer) => sql`${isStaff(viewer)}::boolean`,
  Groups: (_viewer, id) => sql`exists (select from groups g where g.id = ${id} and g.visibility <> 'secret')`,
  Discussions: (viewer, id) => sql`exists (
    select from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)} where d.id = ${id} and ${discussionReadable})`,
  Posts: (viewer, id) => sql`exists (
    select from posts p join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id ${viewersTie(viewer)}
    where p.id = ${id} and ${discussionReadable})`,
  Resources: (viewer, id) => sql`exists (select from resources r ${resourcesGroup(viewer)} where r.id = ${id} and ${STANDS})`,
  Comments: (viewer, id) => sql`exists (
    select from posts p join resources r on r.id = p.resource_id ${resourcesGroup(viewer)}
    where p.id = ${id} and r.state in ('published', 'removed') and ${STANDS})`,
};
/** `resourceVisible` in any state of the resource. */
const STANDS = sql`(r.group_id is null or ${contentReadable("r", "created_at")})`;

/** Whether the viewer, a guest or the operator, could read a record until it was deleted. */
export const couldRead = async (db: Db, { table, ids }: AutomatedChange, viewer: Viewer): Promise<boolean> =>
  (await one(db, sql<{ stood: boolean }>`select ${STOOD[table](viewer, ids.objectId)} as stood`)).stood;

/**
 * Maximum characters of a text in an automation record; the full text has to be read from the record itself.
 */
const LONGEST = 16_000;

/**
 * A record as stored for automations: without the email, which stays with its account only, and with long
 * texts cut.
 */
export const handedOn = ({ email: _email, ...record }: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === "string" ? value.slice(0, LONGEST).toWellFormed() : value]),
  );
