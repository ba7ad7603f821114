import { type Db, limit, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import { blockedEitherWayIds, requireSignedIn } from "#community/friends";
import {
  type ConversationFacts,
  conversationRules,
  privacyDefaults,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { isNotBlockingViewer } from "./inbox.ts";

/** Facts of a conversation needed by commands that write. */
export type ConversationForUpdate = ConversationFacts & {
  id: string;
  name: string;
  lastSeq: number;
  readUpTo: number;
  /** Messages up to this number predate the viewer's joining and are hidden. */
  joinedSeq: number;
  /** No other participant has accepted yet: only one message is allowed. */
  waiting: boolean;
  /**
   * Last message numbers before participants were added who have not accepted: they read the next message.
   */
  askedAfter: number[];
};
export type Conversation = ConversationForUpdate & {
  createdAt: Date;
  others: Participant[];
  muted: boolean;
  archived: boolean;
  /** The viewer shares reading and typing, and sees those of others. */
  showsReading: boolean;
  /** Groups shared by the two people of a direct conversation; empty across a block. */
  groupsInCommon: { slug: string; name: string }[];
  /** Latest additions, removals and renames, in chronological order. */
  entries: ConversationEntry[];
};
export type Participant = PersonCard & {
  accepted: boolean;
  /** Shown as staff. */
  staff: boolean;
  since: Date;
  /** Read position, if both share it. */
  readUpTo: number | null;
};
export type ConversationEntry = {
  id: string;
  /** Number of the message it follows. */
  afterSeq: number;
  kind: "added" | "removed" | "renamed";
  by: PersonCard | null;
  byViewer: boolean;
  person: PersonCard | null;
  name: string;
  at: Date;
};

/** @throws `not-signed-in`, `not-found` for people who are no participants */
export async function getConversation(db: Db, viewer: Viewer, id: string): Promise<Conversation> {
  const me = requireSignedIn(viewer);
  const row = requireVisibleConversation(
    me,
    isId(id)
      ? await maybeOne(
          db,
          sql<Conversation>`select ${conversationColumns(me)},
            ${viewColumns(me)} ${fromConversation(me, id)}`,
        )
      : undefined,
  );
  // Times inside JSON values arrive as text.
  const lastSeq = conversationRules.readsUpTo(row, row.lastSeq);
  const entries = row.entries.map((it) => ({ ...it, at: new Date(it.at) }));
  return { ...row, lastSeq, entries, others: row.others.map((it) => ({ ...it, since: new Date(it.since) })) };
}

/** Like `getConversation`, for commands that write: locks the row and skips what only the page shows. */
export async function getConversationForUpdate(
  db: Db,
  me: SignedIn,
  id: string,
): Promise<ConversationForUpdate> {
  return requireVisibleConversation(me, isId(id) ? await maybeOne(db, selectForUpdate(me, id)) : undefined);
}

/** Statement of `getConversationForUpdate`; its row must be checked by `requireVisibleConversation`. */
export const selectForUpdate = (me: SignedIn, id: string) =>
  sql<ConversationForUpdate>`select ${conversationColumns(me)} ${fromConversation(me, id)} for no key
    update of c`;

/** @throws `not-found` for people who are no participants */
export function requireVisibleConversation<Row extends ConversationFacts>(
  me: SignedIn,
  row: Row | undefined,
): Row {
  if (!row || !conversationRules.see(me, row)) throw notFound();
  return row;
}

const MAX_ENTRIES = 100;

const conversationColumns = (me: SignedIn) => sql`
  c.id, c.kind, c.name, c.creator_id = ${me.id} as mine, c.last_seq as "lastSeq", p.state as "viewerState",
  p.last_read_seq as "readUpTo", p.joined_seq as "joinedSeq",
    not exists (select from participants o
      where o.conversation_id = c.id and o.person_id <> ${me.id} and o.state = 'accepted') as waiting,
    array(select distinct o.joined_seq from participants o
      where o.conversation_id = c.id and o.person_id <> ${me.id} and o.state = 'request') as "askedAfter",
    c.kind = 'direct' and exists (
      select from participants o join blocks b on (b.blocker_id = o.person_id and b.blocked_id = ${me.id})
        or (b.blocker_id = ${me.id} and b.blocked_id = o.person_id)
      where o.conversation_id = c.id and o.person_id <> ${me.id}) as blocked`;

/** Further columns for the page. */
const viewColumns = (me: SignedIn) => sql`
  c.created_at as "createdAt", coalesce(p.muted_until > now(), false) as muted,
  p.archived_at is not null as archived, ${sharesReading("self")} as "showsReading",
    (select coalesce(json_agg((${personCard("person")})::jsonb || jsonb_build_object('accepted',
      o.state = 'accepted', 'staff', person.site_role <> 'member',
        'since', person.created_at, 'readUpTo', case when ${sharesReading("self")}
          and ${sharesReading("person")} and o.state = 'accepted' and p.state = 'accepted'
          and person.id <> all(${blockedEitherWayIds(me)}) then o.seen_seq end)
      order by o.joined_at, person.id), '[]')
     from participants o join people person on person.id = o.person_id
     where o.conversation_id = c.id and o.person_id <> ${me.id}
       and o.state in ('accepted', 'request', 'deleted')
         and ${isNotBlockingViewer(me, "person", "c")}) as others,
    ${groupsInCommon(me)} as "groupsInCommon", ${activityEntries(me)} as entries`;

const fromConversation = (me: SignedIn, id: string) => sql`
  from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
  join people self on self.id = p.person_id
  where c.id = ${id}`;

/** Whether the person under `alias` shares reading and typing. */
const sharesReading = (alias: string) =>
  sql`coalesce((${sql.ref(alias)}.privacy->>'showReading')::boolean, ${privacyDefaults.showReading})`;

const groupsInCommon = (me: SignedIn) => sql`
  (select coalesce(json_agg(json_build_object('slug', g.slug, 'name', g.name) order by g.name), '[]')
   from participants o
   join memberships theirs on theirs.person_id = o.person_id and theirs.state = 'member'
   join memberships ours on ours.group_id = theirs.group_id and ours.person_id = ${me.id}
     and ours.state = 'member'
   join groups g on g.id = ours.group_id and g.state <> 'deleted'
   where c.kind = 'direct' and o.conversation_id = c.id and o.person_id <> ${me.id}
     and o.person_id <> all(${blockedEitherWayIds(me)}))`;

/** Later participants do not see earlier additions and removals, and pending ones do not see new names. */
const activityEntries = (me: SignedIn) => sql`
  (select coalesce(json_agg(json_build_object('id', l.id, 'afterSeq', l.after_seq, 'kind', l.kind, 'name',
    l.name, 'at', l.at, 'byViewer', l.by_id = ${me.id},
      'by', case when ${isNotBlockingViewer(me, "author", "c")} then ${personCard("author")}
        end, 'person', case
        when ${isNotBlockingViewer(me, "whom", "c")} then ${personCard("whom")} end) order by l.id), '[]')
   from (select * from conversation_entries
     where conversation_id = c.id and after_seq >= p.joined_seq
       and (kind <> 'renamed' or p.state <> 'request')
         order by after_seq desc, id desc ${limit(MAX_ENTRIES)}) l
   left join people author on author.id = l.by_id left join people whom on whom.id = l.person_id)`;
