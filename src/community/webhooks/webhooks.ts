import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { msg } from "#platform/messages";
import { writeAudit } from "#community/audit";
import type { Sealer } from "#community/accounts";
import { personCard, type PersonCard } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { getGroup } from "#community/groups";
import {
  GROUP_WEBHOOK_EVENTS,
  LIMITS,
  type SignedIn,
  type Viewer,
  type WebhookEvent,
  webhookRules,
} from "#community/rules";
import type { WebhookForm } from "./webhook-inputs.ts";
import { createSigningSecret } from "./webhook-secrets.ts";

/** Where webhooks belong: a group, or null for the whole site. */
export type WebhookScope = { groupId: string | null };

export type PausedReason = "person" | "failures" | "gone" | "rights";
export type OutgoingWebhook = {
  id: string;
  groupId: string | null;
  name: string;
  url: string;
  events: WebhookEvent[];
  tags: string[];
  /** Groups of the filter, as far as the viewer may see them. */
  groups: { id: string; slug: string; name: string }[];
  owner: PersonCard;
  createdAt: Date;
  pausedAt: Date | null;
  pausedReason: PausedReason | null;
  failures: number;
  succeededAt: Date | null;
  /** Time until which messages are also signed with the previous secret. */
  previousUntil: Date | null;
  pending: number;
};

const columns = sql`
  w.id, w.group_id as "groupId", w.name, w.url, w.events, w.tags, ${personCard("o")} as owner,
  w.created_at as "createdAt", w.paused_at as "pausedAt", w.paused_reason as "pausedReason", w.failures,
  w.succeeded_at as "succeededAt", w.previous_until as "previousUntil", w.group_ids as "groupIds",
  (select count(*)::int from webhook_deliveries d
    where d.webhook_id = w.id and d.state = 'pending') as pending`;

/**
 * @throws `not-found` for a group the viewer may not know of, `not-allowed` for people who may not manage its
 * webhooks
 */
export async function assertCanManageWebhooks(
  db: Db,
  viewer: Viewer,
  { groupId }: WebhookScope,
): Promise<SignedIn> {
  const me = requireSignedIn(viewer);
  if (groupId === null) {
    if (!webhookRules.manageSite(me))
      throw new Refusal("not-allowed", "Only admins manage webhooks of the site.");
  } else if (!webhookRules.manageIn(me, await getGroup(db, me, groupId)))
    throw new Refusal("not-allowed", "Only owners of an active group manage its webhooks.");
  return me;
}

const inScope = ({ groupId }: WebhookScope) =>
  groupId === null ? sql`w.group_id is null` : sql`w.group_id = ${groupId}`;

type WebhookRow = Omit<OutgoingWebhook, "groups"> & { groupIds: string[] };

async function addGroups(db: Db, viewer: Viewer, { groupIds, ...row }: WebhookRow): Promise<OutgoingWebhook> {
  const groups = [];
  for (const id of groupIds) {
    const group = await getGroup(db, viewer, id).catch(ignoreRefusal);
    if (group) groups.push({ id: group.id, slug: group.slug, name: group.name });
  }
  return { ...row, groups };
}
const ignoreRefusal = (error: unknown) => {
  if (error instanceof Refusal) return null;
  throw error;
};

/** Webhooks of a group or of the site, oldest first. */
export async function listWebhooks(db: Db, viewer: Viewer, scope: WebhookScope): Promise<OutgoingWebhook[]> {
  await assertCanManageWebhooks(db, viewer, scope);
  const rows = await many(
    db,
    sql<WebhookRow>`select ${columns} from webhooks w join people o on o.id = w.owner_id
      where ${inScope(scope)} order by w.id`,
  );
  return Promise.all(rows.map((row) => addGroups(db, viewer, row)));
}

/** @throws `not-found` for a webhook that does not belong to the scope */
export async function getWebhook(
  db: Db,
  viewer: Viewer,
  scope: WebhookScope,
  id: string,
): Promise<OutgoingWebhook> {
  await assertCanManageWebhooks(db, viewer, scope);
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<WebhookRow>`select ${columns} from webhooks w join people o on o.id = w.owner_id
          where w.id = ${id} and ${inScope(scope)}`,
      )
    : null;
  if (!row) throw notFound();
  return addGroups(db, viewer, row);
}

/** @throws `invalid` on `groups` for an unknown group, on `events` for one that groups do not have */
async function resolveForm(db: Db, me: SignedIn, { groupId }: WebhookScope, form: WebhookForm) {
  const offered: readonly string[] = GROUP_WEBHOOK_EVENTS;
  if (groupId !== null && !form.events.every((event) => offered.includes(event)))
    throw invalid("events", "Unknown value.");
  const groupIds: string[] = [];
  for (const slug of groupId === null ? form.groups : []) {
    const group = await getGroup(db, me, slug).catch(ignoreRefusal);
    if (!group) throw invalid("groups", msg("There is no group with the address “{slug}”.", { slug }));
    groupIds.push(group.id);
  }
  return { ...form, groupIds };
}

/**
 * Creates a webhook. Only this result has its secret.
 * @throws like `assertCanManageWebhooks`, `conflict` above the limit, `invalid` for its filters
 */
export async function createWebhook(
  tx: Tx,
  sealer: Sealer,
  viewer: Viewer,
  { groupId, ...form }: WebhookForm & WebhookScope,
): Promise<{ id: string; secret: string }> {
  const me = await assertCanManageWebhooks(tx, viewer, { groupId });
  await assertWebhookLimit(tx, { groupId });
  const { name, url, events, tags, groupIds } = await resolveForm(tx, me, { groupId }, form);
  const id = tx.newId();
  const secret = createSigningSecret(sealer);
  await run(
    tx,
    sql`insert into webhooks (id, group_id, owner_id, name, url, events, group_ids, tags, secret, created_at)
      values (${id}, ${groupId}, ${me.id}, ${name}, ${url}, ${events}, ${groupIds}::uuid[], ${tags},
        ${secret.sealed}, ${tx.now})`,
  );
  await recordChange(tx, me, { groupId }, "webhook.created", id);
  return { id, secret: secret.text };
}

/**
 * Asserts the limit of webhooks. A lock serializes creations, so that two concurrent ones are both counted.
 */
async function assertWebhookLimit(tx: Tx, scope: WebhookScope): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtext(${`webhooks:${scope.groupId ?? "site"}`}))`);
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from webhooks w where ${inScope(scope)}`,
  );
  const most = scope.groupId === null ? LIMITS.webhooks.site : LIMITS.webhooks.group;
  if (n >= most)
    throw new Refusal(
      "conflict",
      msg("There can be at most {most} webhooks here. Delete one first.", { most }),
    );
}

const recordChange = (tx: Tx, me: SignedIn, { groupId }: WebhookScope, act: string, id: string) =>
  writeAudit(tx, me, {
    act,
    ...(groupId === null
      ? { kind: "webhook", id }
      : { kind: "group", id: groupId, details: { webhookId: id } }),
  });

/**
 * Changes a webhook. Whoever saves it becomes its owner: their rights decide what is sent to the address.
 * @throws like `createWebhook`, `not-found`
 */
export async function changeWebhook(
  tx: Tx,
  viewer: Viewer,
  { groupId, webhookId, ...form }: WebhookForm & WebhookScope & { webhookId: string },
): Promise<void> {
  const me = await lockWebhook(tx, viewer, { groupId }, webhookId);
  const { name, url, events, tags, groupIds } = await resolveForm(tx, me, { groupId }, form);
  await run(
    tx,
    sql`update webhooks set name = ${name}, url = ${url}, events = ${events}, group_ids = ${groupIds}::uuid[],
      tags = ${tags}, owner_id = ${me.id}, failures = 0, retry_at = null where id = ${webhookId}`,
  );
  await recordChange(tx, me, { groupId }, "webhook.changed", webhookId);
}

/** Locks the row of a webhook that the viewer may manage. */
export async function lockWebhook(
  tx: Tx,
  viewer: Viewer,
  scope: WebhookScope,
  id: string,
): Promise<SignedIn> {
  const me = await assertCanManageWebhooks(tx, viewer, scope);
  const found = await maybeOne(
    tx,
    sql`select from webhooks w where w.id = ${id} and ${inScope(scope)} for update`,
  );
  if (!found) throw notFound();
  return me;
}

type WebhookTarget = WebhookScope & { webhookId: string };

/** Deletes a webhook with its log. */
export async function deleteWebhook(tx: Tx, viewer: Viewer, { webhookId, ...scope }: WebhookTarget) {
  const me = await lockWebhook(tx, viewer, scope, webhookId);
  await run(tx, sql`delete from webhooks where id = ${webhookId}`);
  await recordChange(tx, me, scope, "webhook.deleted", webhookId);
}

/**
 * Replaces the secret; only this result contains the new one. For a day, messages are also signed with the
 * previous secret.
 */
export async function rotateWebhookSecret(
  tx: Tx,
  sealer: Sealer,
  viewer: Viewer,
  { webhookId, ...scope }: WebhookTarget,
): Promise<string> {
  const me = await lockWebhook(tx, viewer, scope, webhookId);
  const secret = createSigningSecret(sealer);
  await run(
    tx,
    sql`update webhooks set previous_secret = secret, previous_until = ${addMilliseconds(tx.now, DAY)},
      secret = ${secret.sealed} where id = ${webhookId}`,
  );
  await recordChange(tx, me, scope, "webhook.rotated", webhookId);
  return secret.text;
}

/** Pauses a webhook: new events are not sent, and pending deliveries wait. */
export async function pauseWebhook(tx: Tx, viewer: Viewer, { webhookId, ...scope }: WebhookTarget) {
  await lockWebhook(tx, viewer, scope, webhookId);
  await run(
    tx,
    sql`update webhooks set paused_at = ${tx.now}, paused_reason = 'person'
      where id = ${webhookId} and paused_at is null`,
  );
}

/** Resumes a webhook with the viewer as its owner. Pending deliveries are sent at once. */
export async function resumeWebhook(tx: Tx, viewer: Viewer, { webhookId, ...scope }: WebhookTarget) {
  const me = await lockWebhook(tx, viewer, scope, webhookId);
  await run(
    tx,
    sql`update webhooks set paused_at = null, paused_reason = null, failures = 0, retry_at = null,
      owner_id = ${me.id} where id = ${webhookId}`,
  );
  await run(
    tx,
    sql`update webhook_deliveries set next_at = ${tx.now}, first_tried_at = null
      where webhook_id = ${webhookId} and state = 'pending'`,
  );
}
