import { sql } from "#platform/database";
import type { RecordQuery } from "../writing/archive-lines.ts";
import { filesColumn, ISO_FORMAT } from "./post-columns.ts";
import { isPersonDataExported } from "./exported-people.ts";

const isPresentCondition = isPersonDataExported("p");

/** Conversations with their messages. */
export const CONVERSATION_TABLES: RecordQuery[] = [
  {
    kind: "conversation",
    rows: sql`
      select c.id, c.kind, c.name, c.creator_id as creator, c.created_at as "createdAt",
        (select json_agg(json_build_object('user', person_id, 'state', state, 'read', last_read_seq, 'seen',
          seen_seq, 'joinedAfter', joined_seq,
           'mutedUntil', to_char(muted_until at time zone 'UTC', ${ISO_FORMAT}), 'archivedAt',
           to_char(archived_at at time zone 'UTC', ${ISO_FORMAT}),
           'createdAt', to_char(joined_at at time zone 'UTC', ${ISO_FORMAT})) order by person_id)
         from participants where conversation_id = c.id) as participants,
        (select json_agg(json_build_object('id', l.id, 'kind', l.kind, 'after', l.after_seq, 'by', l.by_id,
          'user', l.person_id, 'name', l.name,
           'at', to_char(l.at at time zone 'UTC', ${ISO_FORMAT})) order by l.after_seq, l.id)
         from conversation_entries l where l.conversation_id = c.id) as lines
      from conversations c order by c.id`,
  },
  {
    kind: "message",
    rows: sql`
      select m.id, m.conversation_id as conversation, m.author_id as author, m.reply_to as "replyTo",
        m.body_md as body, m.created_at as "createdAt", m.edited_at as "editedAt",
        m.deleted_at as "deletedAt", ${filesColumn("message")} as files,
        (select json_agg(json_build_object('user', h.person_id, 'at',
          to_char(h.hidden_at at time zone 'UTC', ${ISO_FORMAT})) order by h.person_id)
         from hidden_messages h join people p on p.id = h.person_id and ${isPresentCondition}
           where h.message_id = m.id) as "hiddenFrom"
      from messages m order by m.conversation_id, m.seq`,
  },
  {
    kind: "message-reaction",
    rows: sql`
      select x.message_id as message, x.person_id as "user", x.emoji, x.created_at as "createdAt"
      from message_reactions x order by x.message_id, x.person_id, x.emoji`,
  },
];
