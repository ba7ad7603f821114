import { deepEqual } from "node:assert/strict";
import { type Db, many, sql } from "#platform/database";

/** Fails if a participant's copy of the conversation's last message differs from that message. */
export async function assertNoStaleParticipants(db: Db): Promise<void> {
  const stale = await many(
    db,
    sql`select p.* from participants p join conversations c on c.id = p.conversation_id
      where (p.last_seq, p.last_message_at) is distinct from (c.last_seq, c.last_message_at)`,
  );
  deepEqual(stale, []);
}
