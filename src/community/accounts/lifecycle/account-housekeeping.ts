import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { purgeSignInFailures } from "../sign-in/back-off.ts";
import { deleteExpiredTokens } from "../access-tokens/access-tokens.ts";
import { endSanction } from "../sanctions/own-sanction.ts";
import { endSessionsWhere } from "../sessions/sessions.ts";

// Maximum number of accounts that one run of a job handles, so that no transaction grows without bounds.
const BATCH_SIZE = 200;

/** Deletes registrations not confirmed within 14 days. Returns how many. */
export const deleteUnverified = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from people where id in (
    select id from people where state = 'unverified'
      and coalesce(updated_at, created_at) < ${addMilliseconds(tx.now, -14 * DAY)}
    order by created_at ${limit(BATCH_SIZE)} for update skip locked)`,
  );

/** Lifts expired sanctions. */
export async function liftEndedSanctions(tx: Tx): Promise<number> {
  const lifted = await many(
    tx,
    sql<{ id: string }>`
    update people set state = 'active', state_reason = null, state_until = null where id in (
      select id from people where state in ('limited', 'suspended')
        and state_until <= ${tx.now} ${limit(BATCH_SIZE)} for update skip locked)
    returning id`,
  );
  for (const { id } of lifted) {
    await endSanction(tx, id);
    await emit(tx, { type: "person.status-changed", personId: id, state: "active", lifted: true, by: null });
  }
  return lifted.length;
}

/**
 * Erases accounts deactivated 30 days ago. Content stays without its author's name; if the owner wanted it
 * removed, erasure waits until the content is gone.
 */
export async function eraseDeactivated(tx: Tx): Promise<number> {
  const due = await many(
    tx,
    sql<{ id: string }>`
    select id from people where deactivated_at < ${addMilliseconds(tx.now, -30 * DAY)}
      and (leaving is distinct from 'remove'
        or not exists (select from posts where author_id = people.id and state in ('published', 'hidden')))
    order by deactivated_at ${limit(BATCH_SIZE)} for update skip locked`,
  );
  for (const { id } of due) await eraseAccount(tx, id);
  return due.length;
}

/**
 * Tables with a `person_id` whose rows concern only that person and are deleted with the account. A test
 * checks that every other such table is handled.
 */
export const PERSONAL_TABLES = [
  "provider_identities",
  "sanctions",
  "mail_links",
  "two_factor_challenges",
  "totp_secrets",
  "recovery_codes",
  "passkeys",
  "passkey_challenges",
  "known_devices",
  "access_tokens",
  "former_usernames",
  "drafts",
  "dropped_drafts",
  "profile_values",
  "filters",
  "mail_suppressions",
  "reply_addresses",
  "digests",
  "push_subscriptions",
  "purchases",
  "devices",
  "bookmarks",
  "resource_bookmarks",
  "resource_follows",
  "collection_curators",
  "decided_join_requests",
  "read_positions",
  "notifications",
  // Reports about the person's profile page, which no longer exists.
  "reports",
  // Notes on the person; notes that the person wrote on others stay.
  "person_notes",
  "notification_choices",
  "notification_settings",
  "notification_senders",
  "hidden_messages",
  "recent_searches",
  "saved_searches",
  "imported_accounts",
  "person_roles",
  "scheduled_messages",
  "attendances",
  "event_hosts",
  "date_poll_answers",
  "calendar_feeds",
  "api_emails",
  "automation_runs",
] as const;

async function eraseAccount(tx: Tx, id: string): Promise<void> {
  // The last digits of a UUIDv7 are random; the first digits are a timestamp and could collide.
  await run(
    tx,
    sql`
    update people set state = 'erased', deactivated_at = null, leaving = null,
      username = 'former-' || right(replace(id::text, '-', ''), 13), display_name = 'Former member',
      email = null, email_confirmed_at = null, password_hash = null, passkey_step_at = null,
      site_role = 'member', state_reason = null, state_until = null,
      pronouns = '', location = '', bio_md = '', bio_html = '', fields = '[]', properties = '{}',
      privacy = '{}', join_reason = '',
      photo_id = null, photo_alt = '', header_id = null, header_alt = '', header_style = 'meadow',
      seen_at = null, updated_at = ${tx.now}
    where id = ${id}`,
  );
  for (const table of PERSONAL_TABLES)
    await run(tx, sql`delete from ${sql.table(table)} where person_id = ${id}`);
  // A post that was never approved was never visible to others, so it is deleted.
  await run(tx, sql`delete from pending_posts where author_id = ${id}`);
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null, owner_id = null
      where attached_kind = 'person' and attached_id = ${id}`,
  );
  // Membership history belongs to the group and is kept. Pins, answers and appeals are personal and cleared,
  // and a pending request is withdrawn.
  await run(
    tx,
    sql`update memberships set pinned_at = null, answers = '[]', appeal = '', appealed_at = null,
      appeal_answer = '', appeal_declined_at = null,
      state = case when state = 'requested' then 'withdrawn' else state end where person_id = ${id}`,
  );
  for (const table of ["personal_exports", "group_exports"])
    await run(
      tx,
      sql`update ${sql.table(table)} set expires_at = ${tx.now}
        where person_id = ${id} and expires_at > ${tx.now}`,
    );
  await run(tx, sql`delete from friendships where low_id = ${id} or high_id = ${id}`);
  await run(tx, sql`delete from blocks where blocker_id = ${id} or blocked_id = ${id}`);
  await run(tx, sql`delete from ended_friendships where low_id = ${id} or high_id = ${id}`);
  await run(tx, sql`delete from friend_request_attempts where asker_id = ${id} or asked_id = ${id}`);
  await run(tx, sql`delete from friend_links where created_by = ${id}`);
  await run(tx, sql`delete from dismissed_suggestions where person_id = ${id} or suggested_id = ${id}`);
  await run(tx, sql`delete from mutes where muter_id = ${id} or muted_id = ${id}`);
  await endSessionsWhere(tx, id);
  await emit(tx, { type: "person.erased", personId: id });
}

/**
 * Deletes expired rows: sessions, access tokens, links, two-factor challenges, devices unused for a year and
 * former names.
 */
export async function deleteExpiredRows(tx: Tx): Promise<void> {
  await run(tx, sql`delete from sessions where expires_at <= ${tx.now}`);
  await run(tx, sql`delete from mail_links where expires_at < ${addMilliseconds(tx.now, -DAY)}`);
  await run(tx, sql`delete from two_factor_challenges where expires_at <= ${tx.now}`);
  await purgeSignInFailures(tx);
  await deleteExpiredTokens(tx);
  await run(tx, sql`delete from passkey_challenges where expires_at <= ${tx.now}`);
  await run(tx, sql`delete from known_devices where seen_at < ${addMilliseconds(tx.now, -365 * DAY)}`);
  await run(tx, sql`delete from former_usernames where until < ${tx.now}`);
  await run(tx, sql`delete from ended_friendships where ended_at < ${addMilliseconds(tx.now, -DAY)}`);
  await run(tx, sql`delete from friend_request_attempts where asked_at < ${addMilliseconds(tx.now, -DAY)}`);
  await run(tx, sql`delete from friend_links where expires_at < ${addMilliseconds(tx.now, -30 * DAY)}`);
  await run(tx, sql`delete from mutes where until < ${addMilliseconds(tx.now, -DAY)}`);
  await run(
    tx,
    sql`delete from filters where until < ${addMilliseconds(tx.now, -DAY)}
      or dropped_at < ${addMilliseconds(tx.now, -DAY)}`,
  );
}
