import { sql } from "#platform/database";
import type { Telling } from "./telling.ts";

/** Staff hear of an account that waits for them. Nobody is named: whoever it is, is nobody here yet. */
export const waits = (it: { personId: string }, item: Telling["item"]): Telling => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'account_waits' as kind, 'staff' as reason from people where site_role <> 'member' and state = 'active'`,
  sight: sql`join people waiting on waiting.id = ${it.personId} where waiting.state = 'pending_approval'`,
  object: { kind: "person", id: sql`waiting.id` },
  actor: null,
  latest: null,
  item,
});
