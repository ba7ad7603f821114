import { sql } from "#platform/database";
import { blockersOfAny, hiddenFrom, knownIn, readsUpTo, stubFor } from "#community/conversations";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { at, boolean, common, compound, date, int, one, type Piece, type PublishedNoun, ref, several, string, text } from "./noun.ts";

// Conversation content is for participants: SQL twin of `conversationRules.see`.

/** The viewer `me` participates in the conversation, as `o`, and a further condition holds. */
const isIn = (me: SignedIn, id: Piece, holds: Piece = sql`true`): Piece => sql`exists (
  select from participants o where o.conversation_id = ${id} and o.person_id = ${me.id} and o.state in ('accepted', 'request') and ${holds})`;

/** For signed-in viewers; others get nothing. */
const signedIn = (nothing: Piece, what: (me: SignedIn, alias: string) => Piece) => (viewer: Viewer, alias: string) =>
  isSignedIn(viewer) ? what(viewer, alias) : nothing;

/** A column of the viewer's own participant row `o`. */
const place = (what: Piece) =>
  signedIn(
    sql`null`,
    (me, alias) =>
      sql`(select ${what} from participants o join conversations c on c.id = o.conversation_id where c.id = ${at(alias, "object_id")} and o.person_id = ${me.id})`,
  );

export const Conversations: PublishedNoun = {
  name: "Conversations",
  view: "conversations",
  about: "One's own conversations. Nobody else reads them, staff included.",
  columns: [
    ...common(
      ref("objectId"),
      signedIn(
        sql`null::uuid`,
        (me, alias) =>
          sql`case when ${at(alias, "kind")} = 'direct' or ${at(alias, "owner_id")} <> all(${blockersOfAny(me)}) then ${at(alias, "owner_id")} end`,
      ),
    ),
    string("kind"),
    string("name"),
    int("lastSeq"),
    date("lastMessageAt"),
    string("standing", place(sql`o.state`)),
    int("readUpTo", place(sql`o.last_read_seq`)),
    int("unread", place(sql`greatest(${readsUpTo("o", sql`c.last_seq`)} - greatest(o.last_read_seq, o.joined_seq), 0)`)),
    date("mutedUntil", place(sql`o.muted_until`)),
    boolean("archived", place(sql`o.archived_at is not null`)),
  ],
  relations: [several("messages", "Messages", "conversation_id"), several("participants", "Participants", "conversation_id")],
  visible: signedIn(sql`false`, (me, alias) => isIn(me, at(alias, "object_id"))),
};

/** Whether the row's person is named to the viewer there. */
const known = (alias: string, holds: Piece): Piece => sql`(
  select ${holds} from conversations c join people author on author.id = ${at(alias, "owner_id")} where c.id = ${at(alias, "conversation_id")})`;

export const Participants: PublishedNoun = {
  name: "Participants",
  view: "participants",
  about: "Who is in one's own conversations; `waiting` who has not accepted yet.",
  columns: [
    ...common(compound(["conversation_id", "id"], ["person_id", "id"])),
    ref("conversationId"),
    ref("personId"),
    string(
      "state",
      (
        viewer,
        alias,
      ) => sql`case when ${at(alias, "state")} = 'accepted' or ${at(alias, "person_id")} is not distinct from ${viewer.id}::uuid
        then ${at(alias, "state")} else 'waiting' end`,
    ),
  ],
  relations: [one("conversation", "Conversations", "conversation_id"), one("person", "Users", "person_id")],
  visible: signedIn(
    sql`false`,
    (me, alias) => sql`(${at(alias, "state")} in ('accepted', 'request', 'deleted') and ${isIn(me, at(alias, "conversation_id"))}
      and ${known(alias, knownIn(me, "author"))})`,
  ),
};

/** Why the text is missing; null if it is visible. */
const messageStub = signedIn(
  sql`'blocked'`,
  (
    me,
    alias,
  ) => sql`(select ${stubFor(me)} from messages x join conversations c on c.id = x.conversation_id join people author on author.id = x.author_id
    where x.id = ${at(alias, "object_id")})`,
);

export const Messages: PublishedNoun = {
  name: "Messages",
  view: "messages",
  about:
    "What is said in one's own conversations, from the day on that one is in them; of one that was not accepted yet its first message.",
  columns: [
    ...common(
      ref("objectId"),
      signedIn(sql`null::uuid`, (me, alias) => known(alias, sql`case when ${knownIn(me, "author")} then author.id end`)),
    ),
    ref("conversationId"),
    int("seq"),
    text("text", (viewer, alias) => sql`case when ${messageStub(viewer, alias)} is null then ${at(alias, "text")} end`),
    ref("replyTo"),
    string("stub", messageStub),
  ],
  relations: [one("conversation", "Conversations", "conversation_id")],
  visible: signedIn(
    sql`false`,
    (
      me,
      alias,
    ) => sql`(${isIn(me, at(alias, "conversation_id"), sql`${at(alias, "seq")} > o.joined_seq and ${at(alias, "seq")} <= ${readsUpTo("o", at(alias, "seq"))}`)} and not exists (
      select from messages x where x.id = ${at(alias, "object_id")} and ${hiddenFrom(me, "x")}))`,
  ),
};
