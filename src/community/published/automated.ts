import { type Db, one, sql } from "#platform/database";
import type { Happening } from "#platform/outbox";
import { contentReadable, discussionReadable, viewersTie } from "#community/groups";
import { resourcesGroup } from "#community/resources";
import { isStaff, type Viewer } from "#community/rules";
import type { Piece } from "./nouns/noun.ts";

export const AUTOMATED_EVENTS = ["created", "updated", "deleted"] as const;
type Event = (typeof AUTOMATED_EVENTS)[number];

/**
 * What happens to the nouns whose changes start something by themselves. What is left out is nobody's affair but theirs (conversations,
 * friendships, blocks, bookmarks, notifications), or is not read by who runs the place (memberships, reactions to what is said there).
 * What was taken away or hidden and brought back is made anew: whoever keeps a copy by the three events has a whole copy.
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
    // A new version is an edit as well, and told once.
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

/** A record that was made, changed or taken away, and where it stands. */
export type AutomatedChange = { table: Automated; event: Event; ids: { objectId: string } & Record<string, string | null> };

const BY_TYPE = new Map<string, Pick<AutomatedChange, "table" | "event">[]>();
for (const table of AUTOMATED)
  for (const event of AUTOMATED_EVENTS)
    for (const type of HAPPENINGS[table][event]) BY_TYPE.set(type, [...(BY_TYPE.get(type) ?? []), { table, event }]);
/** The types of all of these happenings. */
export const AUTOMATED_BY: readonly string[] = [...BY_TYPE.keys()];

/** By what a happening names the record, and the places in which it stands. */
const NAMES: Record<Automated, { id: string; places: string[] }> = {
  Users: { id: "personId", places: [] },
  Groups: { id: "groupId", places: [] },
  Discussions: { id: "discussionId", places: ["groupId"] },
  Posts: { id: "postId", places: ["discussionId", "groupId"] },
  Resources: { id: "resourceId", places: ["groupId"] },
  Comments: { id: "postId", places: ["resourceId", "groupId"] },
};

/** Which records a happening changed: of each noun one at the most. */
export const automatedChangesIn = (happening: Happening): AutomatedChange[] =>
  (BY_TYPE.get(happening.type) ?? []).map(({ table, event }) => {
    const { id, places } = NAMES[table];
    const standing = places.map((place) => [place, text(happening[place])] as const);
    return { table, event, ids: { ...Object.fromEntries(standing), objectId: text(happening[id]) ?? "" } };
  });

const text = (value: Happening[string] | undefined): string | null => (typeof value === "string" ? value : null);

/** That nobody in particular, or who runs the place, could read a record until it went. What was never published is nobody's to hear of. */
const STOOD: Record<Automated, (viewer: Viewer, id: string) => Piece> = {
  // Of an account that is erased nothing is left, and guests could not see it for a month before.
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
/** `resourceVisible`, whatever became of the resource. */
const STANDS = sql`(r.group_id is null or ${contentReadable("r", "created_at")})`;

/** Whether the viewer, who is nobody in particular, could read a record until it was taken away. */
export const couldRead = async (db: Db, { table, ids }: AutomatedChange, viewer: Viewer): Promise<boolean> =>
  (await one(db, sql<{ stood: boolean }>`select ${STOOD[table](viewer, ids.objectId)} as stood`)).stood;

/** Characters of a text that is handed on: more than that is for who reads the record itself. */
const LONGEST = 16_000;

/**
 * A record as it is handed on, to be kept elsewhere for a while: without the mail address, which is to be nowhere but with its account, and
 * with what is long cut off.
 */
export const handedOn = ({ email: _email, ...record }: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === "string" ? value.slice(0, LONGEST).toWellFormed() : value]),
  );
