import { type Db, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import { signedIn } from "#community/friends";
import { type ConversationFacts, conversationRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { knownIn, readIn } from "./inbox.ts";

export type Conversation = ConversationFacts & {
  id: string;
  kind: "direct" | "group";
  name: string;
  createdAt: Date;
  /** The viewer has begun it. */
  mine: boolean;
  others: (PersonCard & { accepted: boolean })[];
  lastSeq: number;
  readUpTo: number;
  /** What was said up to here is not for the viewer, who came later. */
  joinedSeq: number;
  muted: boolean;
  archived: boolean;
  /** Nobody else has accepted yet: one message is all until then. */
  waiting: boolean;
  /** Groups that the viewer and the other person of a direct conversation share. */
  groupsInCommon: { slug: string; name: string }[];
};
export type MessageView = {
  id: string;
  seq: number;
  author: PersonCard | null;
  /** Null exactly where there is a stub. */
  html: string | null;
  stub: "deleted" | "blocked" | "blocked-by-viewer" | null;
  mine: boolean;
  /** Only on the viewer's own: it finds the pending one on the page. */
  clientId: string | null;
  createdAt: Date;
  editedAt: Date | null;
};
export type MessagesPage = { messages: MessageView[]; hasOlder: boolean; hasNewer: boolean };

/** Throws `not-signed-in`, and `not-found` for who is not in it. */
export async function conversationFor(db: Db, viewer: Viewer, id: string): Promise<Conversation> {
  const me = signedIn(viewer);
  const found = isId(id) ? await maybeOne(db, selectOf(me, id)) : undefined;
  if (!found || !conversationRules.see(me, found)) throw notFound();
  return found;
}

/** The same for a verb that writes into it: nobody else's turn comes before the end. */
export async function conversationToChange(db: Db, me: SignedIn, id: string): Promise<Conversation> {
  const found = isId(id) ? await maybeOne(db, sql<Conversation>`${selectOf(me, id)} for no key update of c`) : undefined;
  if (!found || !conversationRules.see(me, found)) throw notFound();
  return found;
}

const selectOf = (me: SignedIn, id: string) => sql<Conversation>`
  select c.id, c.kind, c.name, c.created_at as "createdAt", c.creator_id = ${me.id} as mine, c.last_seq as "lastSeq", p.state as "viewerState",
    p.last_read_seq as "readUpTo", p.joined_seq as "joinedSeq", coalesce(p.muted_until > now(), false) as muted, p.archived_at is not null as archived,
    (select coalesce(json_agg((${personCard("person")})::jsonb || jsonb_build_object('accepted', o.state = 'accepted') order by o.joined_at, person.id), '[]')
     from participants o join people person on person.id = o.person_id
     where o.conversation_id = c.id and o.person_id <> ${me.id} and o.state <> 'left' and ${knownIn(me, "person")}) as others,
    not exists (select from participants o where o.conversation_id = c.id and o.person_id <> ${me.id} and o.state = 'accepted') as waiting,
    c.kind = 'direct' and exists (
      select from participants o join blocks b on (b.blocker_id = o.person_id and b.blocked_id = ${me.id}) or (b.blocker_id = ${me.id} and b.blocked_id = o.person_id)
      where o.conversation_id = c.id and o.person_id <> ${me.id}) as blocked,
    ${groupsInCommon(me)} as "groupsInCommon"
  from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
  where c.id = ${id}`;

const groupsInCommon = (me: SignedIn) => sql`
  (select coalesce(json_agg(json_build_object('slug', g.slug, 'name', g.name) order by g.name), '[]')
   from participants o
   join memberships theirs on theirs.person_id = o.person_id and theirs.state = 'member'
   join memberships ours on ours.group_id = theirs.group_id and ours.person_id = ${me.id} and ours.state = 'member'
   join groups g on g.id = ours.group_id and g.state <> 'deleted'
   where c.kind = 'direct' and o.conversation_id = c.id and o.person_id <> ${me.id})`;

const SIZE = LIMITS.page.messages;

/** 50, oldest first: the latest, or those before or after a message's `seq`. `not-found` for who is not in it. */
export async function messagesOf(
  db: Db,
  viewer: Viewer,
  conversation: Conversation,
  query: { before?: number; after?: number } = {},
): Promise<MessagesPage> {
  const me = signedIn(viewer);
  if (!conversationRules.see(me, conversation)) throw notFound();
  const forwards = query.after !== undefined;
  const from = forwards ? Math.max(whole(query.after), conversation.joinedSeq) : conversation.joinedSeq;
  const to = query.before === undefined ? conversation.lastSeq + SIZE : whole(query.before) - 1;
  const rows = await many(
    db,
    sql<MessageView>`
      select x.id, x.seq, case when ${knownIn(me, "author")} then ${personCard("author")} end as author, x.author_id = ${me.id} as mine, case when x.author_id = ${me.id} then x.client_id end as "clientId",
        x.created_at as "createdAt", x.edited_at as "editedAt", ${stubFor(me)} as stub, case when ${stubFor(me)} is null then x.body_html end as html
      from messages x join conversations c on c.id = x.conversation_id join people author on author.id = x.author_id
      where x.conversation_id = ${conversation.id} and x.seq > ${from} and x.seq <= ${to}
      order by x.seq ${forwards ? sql`asc` : sql`desc`} limit ${SIZE + 1}`,
  );
  const more = rows.length > SIZE;
  const messages = rows.slice(0, SIZE).sort((a, b) => a.seq - b.seq);
  const first = messages[0]?.seq ?? 0;
  return {
    messages,
    hasOlder: forwards ? first > conversation.joinedSeq + 1 : more,
    hasNewer: forwards ? more : query.before !== undefined && (messages.at(-1)?.seq ?? 0) < conversation.lastSeq,
  };
}

const whole = (number: number | undefined) => Math.min(2 ** 31 - 2, Math.max(0, Math.trunc(number ?? 0) || 0));

const stubFor = (me: SignedIn) => sql`
  case when x.deleted_at is not null then 'deleted' when not ${knownIn(me, "author")} then 'blocked' when not ${readIn(me, "author")} then 'blocked-by-viewer' end`;
