import { limit, sql } from "#platform/database";
import { personCard, type PersonCard } from "#community/common";
import { blockedEitherWayIds, blockerIds } from "#community/friends";
import { type ConversationFacts, privacyDefaults, type SignedIn } from "#community/rules";

export type ConversationRow = {
  id: string;
  kind: "direct" | "group";
  name: string;
  /** Cards of at most four other participants; `othersCount` is the total. */
  others: PersonCard[];
  othersCount: number;
  last: { by: "viewer" | PersonCard | null; excerpt: string; at: Date } | null;
  unread: number;
  muted: boolean;
  archived: boolean;
  isRequest: boolean;
  lastMessageAt: Date;
};
/** Database row of a conversation in the inbox. */
export type InboxRow = Omit<ConversationRow, "last"> & {
  lastMine: boolean;
  lastBy: PersonCard | null;
  lastHtml: string | null;
  lastAt: Date | null;
};

/** Facts of a conversation needed by commands that write. */
export type ConversationForUpdate = ConversationFacts & {
  id: string;
  name: string;
  lastSeq: number;
  readUpTo: number;
  /** Number of the last message before the viewer joined. Messages up to it are hidden. */
  joinedSeq: number;
  /** No other participant has accepted yet: only one message is allowed. */
  waiting: boolean;
  /**
   * For each participant who was added and has not accepted yet: number of the last message before the
   * addition. These participants read only the next message.
   */
  askedAfter: number[];
};
export type Conversation = ConversationForUpdate & {
  createdAt: Date;
  others: Participant[];
  muted: boolean;
  archived: boolean;
  /** The viewer shares read receipts and typing status, and therefore sees those of others. */
  showsReading: boolean;
  /** Groups shared by the two people of a direct conversation; empty if either has blocked the other. */
  groupsInCommon: { slug: string; name: string }[];
  /** Latest additions, removals and renames, in chronological order. */
  entries: ConversationEntry[];
};
export type Participant = PersonCard & {
  accepted: boolean;
  /** The person is marked as staff. */
  staff: boolean;
  since: Date;
  /** Read position, if both people share read receipts. */
  readUpTo: number | null;
};
export type ConversationEntry = {
  id: string;
  /** Number of the message after which the entry is shown. */
  afterSeq: number;
  kind: "added" | "removed" | "renamed";
  by: PersonCard | null;
  byViewer: boolean;
  person: PersonCard | null;
  name: string;
  at: Date;
};

// A direct conversation stays readable for both people after a block. In a group conversation the blocked
// person does not learn who blocked them, and the two do not see each other's messages.

/** Ids of people who block the viewer. Staff have no special rights in conversations. */
export const allBlockerIds = (me: SignedIn) => blockerIds({ ...me, role: "member" });

/** SQL equivalent of `conversationRules.readsUpTo`, for the participant with this alias. */
export const lastReadableSeq = (alias: string, lastSeq: ReturnType<typeof sql>) =>
  sql<number>`(case when ${sql.ref(`${alias}.state`)} = 'request' then least(${lastSeq},
    ${sql.ref(`${alias}.joined_seq`)} + 1) else ${lastSeq} end)`;

/** Whether the viewer may know, in this conversation, who the person with this alias is. */
export const isNotBlockingViewer = (me: SignedIn, alias: string, conversation: string) => {
  const c = sql.ref(conversation);
  return sql`(${c}.kind = 'direct' or ${sql.ref(alias)}.id <> all(${allBlockerIds(me)}))`;
};
/** Whether the viewer reads the messages of the person with this alias in the conversation. */
export const isNotBlockedEitherWay = (me: SignedIn, alias: string, conversation: string) => {
  const c = sql.ref(conversation);
  return sql`(${c}.kind = 'direct' or ${sql.ref(alias)}.id <> all(${blockedEitherWayIds(me)}))`;
};

/** Cards of at most four other participants, those who joined first. */
export const otherParticipants = (me: SignedIn, conversation: string) => {
  const c = sql.ref(conversation);
  return sql`
  (select coalesce(json_agg(${personCard("p")} order by o.joined_at, p.id), '[]')
   from (select * from participants
     where conversation_id = ${c}.id and person_id <> ${me.id} and state <> 'left'
     order by joined_at, person_id limit 4) o
   join people p on p.id = o.person_id where ${isNotBlockingViewer(me, "p", conversation)})`;
};

const unreadMessageCount = sql`greatest(c.reads_up_to - greatest(c.last_read_seq, c.joined_seq), 0)`;
const isMuted = sql`coalesce(c.muted_until > now(), false)`;

export const selectInboxRows = (
  me: SignedIn,
  condition: ReturnType<typeof sql>,
  most: number,
) => sql<InboxRow>`
      select c.id, c.kind, c.name, ${otherParticipants(me, "c")} as others,
        (select count(*)::int from participants o
          where o.conversation_id = c.id and o.person_id <> ${me.id} and o.state <> 'left') as "othersCount",
        coalesce(last.author_id = ${me.id}, false) as "lastMine", last.created_at as "lastAt",
        case when last_author.id is not null
          and ${isNotBlockingViewer(me, "last_author", "c")} then ${personCard("last_author")}
          end as "lastBy",
        case when last.deleted_at is null and ${isNotBlockedEitherWay(me, "last_author", "c")}
          and not exists (select from hidden_messages h
            where h.person_id = ${me.id} and h.message_id = last.id) then left(last.body_html, 600)
              end as "lastHtml",
        ${unreadMessageCount} as unread, ${isMuted} as muted, c.archived_at is not null as archived,
        c.viewer_state = 'request' as "isRequest", c.last_message_at as "lastMessageAt"
      from (
        select c.*, ${lastReadableSeq("p", sql`c.last_seq`)} as reads_up_to, p.state as viewer_state,
          p.last_read_seq, p.joined_seq, p.muted_until, p.archived_at
        from participants p join conversations c on c.id = p.conversation_id
        where p.person_id = ${me.id} and p.last_seq > p.joined_seq and ${condition}
        order by p.last_message_at desc, p.conversation_id desc ${limit(most)}) c
      left join messages last on last.conversation_id = c.id and last.seq = c.reads_up_to
      left join people last_author on last_author.id = last.author_id
      order by c.last_message_at desc, c.id desc`;

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

/** Further columns that only the page of the conversation needs. */
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

/** An id, or an SQL subquery that selects it. */
type ConversationId = string | ReturnType<typeof sql>;

const fromConversation = (me: SignedIn, id: ConversationId) => sql`
  from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
  join people self on self.id = p.person_id
  where c.id = ${id}`;

/** Whether the person with this alias shares read receipts and typing status. */
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

/**
 * Additions, removals and renames. Later participants do not see earlier additions and removals, and pending
 * participants do not see new names.
 */
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

/** Statement of `getConversationForUpdate`; its row must be checked by `requireVisibleConversation`. */
export const selectForUpdate = (me: SignedIn, id: ConversationId) =>
  sql<ConversationForUpdate>`select ${conversationColumns(me)} ${fromConversation(me, id)} for no key
    update of c`;

/**
 * Statement for the conversation with the columns of its page; its row must be checked by
 * `requireVisibleConversation`.
 */
export const selectConversation = (me: SignedIn, id: string) =>
  sql<Conversation>`select ${conversationColumns(me)}, ${viewColumns(me)} ${fromConversation(me, id)}`;
