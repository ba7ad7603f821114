import { sql } from "#platform/database";
import {
  allBlockerIds,
  isMessageHiddenFrom,
  isNotBlockingViewer,
  lastReadableSeq,
  messageStubColumn,
} from "#community/conversations";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import {
  columnRef,
  booleanColumn,
  commonColumns,
  compoundIdColumn,
  dateColumn,
  intColumn,
  toOne,
  type SqlFragment,
  type ApiEntity,
  idColumn,
  toMany,
  stringColumn,
  textColumn,
} from "./entity.ts";

// Conversation content is for participants: SQL equivalent of `conversationRules.see`.

/**
 * Condition: the viewer `me` participates in the conversation, with the participant row `o`, and `holds` is
 * true.
 */
const isParticipant = (
  me: SignedIn,
  id: SqlFragment,
  holds: SqlFragment = sql`true`,
): SqlFragment => sql`exists (
  select from participants o
  where o.conversation_id = ${id} and o.person_id = ${me.id} and o.state in ('accepted', 'request')
    and ${holds})`;

/** An SQL fragment for signed-in viewers; guests get the fallback. */
const whenSignedIn =
  (nothing: SqlFragment, what: (me: SignedIn, alias: string) => SqlFragment) =>
  (viewer: Viewer, alias: string) =>
    isSignedIn(viewer) ? what(viewer, alias) : nothing;

/** A column of the viewer's own participant row `o`. */
const ownParticipantColumn = (what: SqlFragment) =>
  whenSignedIn(
    sql`null`,
    (me, alias) =>
      sql`(select ${what} from participants o join conversations c on c.id = o.conversation_id
        where c.id = ${columnRef(alias, "object_id")} and o.person_id = ${me.id})`,
  );

export const Conversations: ApiEntity = {
  name: "Conversations",
  view: "conversations",
  about: "Your own conversations. No one else can read them, not even staff.",
  columns: [
    ...commonColumns(
      idColumn("objectId"),
      whenSignedIn(
        sql`null::uuid`,
        (me, alias) =>
          sql`case when ${columnRef(alias, "kind")} = 'direct'
            or ${columnRef(alias, "owner_id")} <> all(${allBlockerIds(me)}) then ${columnRef(alias, "owner_id")}
            end`,
      ),
    ),
    stringColumn("kind"),
    stringColumn("name"),
    intColumn("lastSeq"),
    dateColumn("lastMessageAt"),
    stringColumn("standing", ownParticipantColumn(sql`o.state`)),
    intColumn("readUpTo", ownParticipantColumn(sql`o.last_read_seq`)),
    intColumn(
      "unread",
      ownParticipantColumn(
        sql`greatest(${lastReadableSeq("o", sql`c.last_seq`)} - greatest(o.last_read_seq, o.joined_seq), 0)`,
      ),
    ),
    dateColumn("mutedUntil", ownParticipantColumn(sql`o.muted_until`)),
    booleanColumn("archived", ownParticipantColumn(sql`o.archived_at is not null`)),
  ],
  relations: [
    toMany("messages", "Messages", "conversation_id"),
    toMany("participants", "Participants", "conversation_id"),
  ],
  visible: whenSignedIn(sql`false`, (me, alias) => isParticipant(me, columnRef(alias, "object_id"))),
};

/**
 * Evaluates `holds` for the row's owner `author` in its conversation `c`: whether the viewer may see who the
 * owner is.
 */
const participantNamed = (alias: string, holds: SqlFragment): SqlFragment => sql`(
  select ${holds} from conversations c join people author on author.id = ${columnRef(alias, "owner_id")}
  where c.id = ${columnRef(alias, "conversation_id")})`;

export const Participants: ApiEntity = {
  name: "Participants",
  view: "participants",
  about: "Participants of your own conversations; `waiting` if they have not accepted yet.",
  columns: [
    ...commonColumns(compoundIdColumn(["conversation_id", "id"], ["person_id", "id"])),
    idColumn("conversationId"),
    idColumn("personId"),
    stringColumn(
      "state",
      (viewer, alias) => sql`case when ${columnRef(alias, "state")} = 'accepted'
        or ${columnRef(alias, "person_id")} is not distinct from ${viewer.id}::uuid
        then ${columnRef(alias, "state")} else 'waiting' end`,
    ),
  ],
  relations: [
    toOne("conversation", "Conversations", "conversation_id"),
    toOne("person", "Users", "person_id"),
  ],
  visible: whenSignedIn(
    sql`false`,
    (me, alias) => sql`(${columnRef(alias, "state")} in ('accepted', 'request', 'deleted')
      and ${isParticipant(me, columnRef(alias, "conversation_id"))}
      and ${participantNamed(alias, isNotBlockingViewer(me, "author", "c"))})`,
  ),
};

/** Reason for a missing text; null if the text is visible. */
const messageStub = whenSignedIn(
  sql`'blocked'`,
  (me, alias) => sql`(select ${messageStubColumn(me, "x", "author", "c")} from messages x
    join conversations c on c.id = x.conversation_id
    join people author on author.id = x.author_id
    where x.id = ${columnRef(alias, "object_id")})`,
);

export const Messages: ApiEntity = {
  name: "Messages",
  view: "messages",
  about:
    "Messages in your own conversations since you joined; of a request that you have not accepted, only the first.",
  columns: [
    ...commonColumns(
      idColumn("objectId"),
      whenSignedIn(sql`null::uuid`, (me, alias) =>
        participantNamed(alias, sql`case when ${isNotBlockingViewer(me, "author", "c")} then author.id end`),
      ),
    ),
    idColumn("conversationId"),
    intColumn("seq"),
    textColumn(
      "text",
      (viewer, alias) =>
        sql`case when ${messageStub(viewer, alias)} is null then ${columnRef(alias, "text")} end`,
    ),
    idColumn("replyTo"),
    stringColumn("stub", messageStub),
  ],
  relations: [toOne("conversation", "Conversations", "conversation_id")],
  visible: whenSignedIn(
    sql`false`,
    (me, alias) => sql`(${isParticipant(
      me,
      columnRef(alias, "conversation_id"),
      sql`${columnRef(alias, "seq")}
      > o.joined_seq and ${columnRef(alias, "seq")} <= ${lastReadableSeq("o", columnRef(alias, "seq"))}`,
    )}
        and not exists (
      select from messages x where x.id = ${columnRef(alias, "object_id")} and ${isMessageHiddenFrom(me, "x")}))`,
  ),
};
