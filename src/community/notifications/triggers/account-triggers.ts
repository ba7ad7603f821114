import { sql } from "#platform/database";
import type { NotificationTrigger } from "./notification-trigger.ts";

/** Notifies staff of a pending account. The person is not named, because they are not a member yet. */
export const accountPendingTrigger = (
  it: { personId: string },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'account_waits' as kind, 'staff' as reason from people
    where site_role <> 'member' and state = 'active'`,
  visibility: sql`join people waiting on waiting.id = ${it.personId} where waiting.state = 'pending_approval'`,
  object: { kind: "person", id: sql`waiting.id` },
  actor: null,
  latest: null,
  item,
});

type StatusChange = { personId: string; state: string; lifted?: boolean };

/**
 * Notifies a person that their account was limited, or that the limit was lifted. Suspended people are
 * informed when they sign in, and by mail.
 */
export const statusChangedTrigger = (
  { personId, state, lifted = false }: StatusChange,
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`select ${personId}::uuid as person_id, 1 as rank, 'security' as kind, 'account' as reason`,
  visibility: sql`join people it on it.id = ${personId}
    where it.state = ${state} and ${state === "limited" || (state === "active" && lifted)}::boolean`,
  object: { kind: "person", id: sql`it.id` },
  actor: null,
  latest: null,
  item,
  detail: sql`case it.state when 'limited' then 'limited' else 'restored' end`,
  words: sql`coalesce(it.state_reason, '')`,
  moment: sql`it.state_until`,
});

/**
 * Notifies the owner of a webhook that it was paused. The detail is the webhook's group; empty for a webhook
 * of the whole site.
 */
export const webhookPausedTrigger = (
  { personId, groupId }: { personId: string; groupId: string | null },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`
    select ${personId}::uuid as person_id, 1 as rank, 'webhook_paused' as kind, 'account' as reason`,
  visibility: sql`where true`,
  object: { kind: "person", id: sql`${personId}::uuid` },
  actor: null,
  latest: null,
  item,
  detail: sql`${groupId ?? ""}::text`,
});
