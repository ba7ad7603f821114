import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { createChecksumToken, hashSecret, isChecksumToken, isId } from "#platform/ids";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { msg } from "#platform/messages";
import { writeAudit } from "#community/audit";
import { assertBotOf } from "#community/bots";
import { personCard, type PersonCard } from "#community/common";
import { getDiscussion } from "#community/discussions";
import type { SignedIn, Viewer } from "#community/rules";
import { assertCanManageWebhooks } from "../webhooks.ts";
import type { IncomingWebhookForm } from "./incoming-inputs.ts";

/** An incoming webhook as the owners of its group see it; its address is stored nowhere. */
export type IncomingWebhook = {
  id: string;
  name: string;
  bot: PersonCard;
  /** Each message starts a discussion. */
  startsDiscussions: boolean;
  /** Discussion in which messages are posted; null if it was deleted. */
  discussion: { id: string; title: string } | null;
  createdAt: Date;
  pausedAt: Date | null;
  usedAt: Date | null;
  /** Number of messages that were posted. */
  messages: number;
  /** Time until which the previous address is accepted too. */
  previousUntil: Date | null;
};

/** Prefix by which people and secret scanners recognize the token of an incoming webhook. */
const PREFIX = "kith_hook_";
/** Maximum number of incoming webhooks per group. */
const MAX_WEBHOOKS = 20;

/** Whether a text has the form of a token of an incoming webhook, and the right checksum. */
export const isHookToken = (text: string): boolean => isChecksumToken(PREFIX, text);

type GroupScope = { groupId: string };
type WebhookTarget = GroupScope & { webhookId: string };

const selectWebhooks = (which: ReturnType<typeof sql>) => sql<IncomingWebhook>`
  select w.id, w.name, ${personCard("p")} as bot, w.starts_discussions as "startsDiscussions",
    case when d.id is not null then json_build_object('id', d.id, 'title', d.title) end as discussion,
    w.created_at as "createdAt", w.paused_at as "pausedAt", w.used_at as "usedAt", w.messages,
    w.previous_until as "previousUntil"
  from incoming_webhooks w join people p on p.id = w.bot_id
  left join discussions d on d.id = w.discussion_id and d.group_id = w.group_id and d.state <> 'deleted'
  where ${which} order by w.id`;

/**
 * Incoming webhooks of a group, oldest first.
 * @throws like `assertCanManageWebhooks`
 */
export async function listIncomingWebhooks(
  db: Db,
  viewer: Viewer,
  { groupId }: GroupScope,
): Promise<IncomingWebhook[]> {
  await assertCanManageWebhooks(db, viewer, { groupId });
  return many(db, selectWebhooks(sql`w.group_id = ${groupId}`));
}

/** @throws like `assertCanManageWebhooks`, `not-found` for a webhook of another group */
export async function getIncomingWebhook(
  db: Db,
  viewer: Viewer,
  { groupId, webhookId }: WebhookTarget,
): Promise<IncomingWebhook> {
  await assertCanManageWebhooks(db, viewer, { groupId });
  const webhook = isId(webhookId)
    ? await maybeOne(db, selectWebhooks(sql`w.group_id = ${groupId} and w.id = ${webhookId}`))
    : null;
  if (!webhook) throw notFound();
  return webhook;
}

/** @throws `invalid` on `botId` and `discussion` for what does not belong to the group */
async function assertFormOfGroup(
  tx: Tx,
  me: SignedIn,
  { groupId, botId, discussion }: Pick<IncomingWebhookForm, "botId" | "discussion"> & GroupScope,
): Promise<void> {
  await assertBotOf(tx, { groupId, botId });
  if (discussion === null) return;
  const found = await getDiscussion(tx, me, discussion).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (found?.group.id !== groupId || found.state === "deleted")
    throw invalid("discussion", "Enter the address of a discussion of this group.");
}

const recordChange = (tx: Tx, me: SignedIn, { groupId, webhookId }: WebhookTarget, act: string) =>
  writeAudit(tx, me, { act, kind: "group", id: groupId, details: { webhookId } });

/**
 * Creates an incoming webhook. Only this result has its token.
 * @throws like `assertCanManageWebhooks`, `conflict` above the limit, `invalid` on `botId` and `discussion`
 */
export async function createIncomingWebhook(
  tx: Tx,
  viewer: Viewer,
  { groupId, ...form }: IncomingWebhookForm & GroupScope,
): Promise<{ id: string; token: string }> {
  const me = await assertCanManageWebhooks(tx, viewer, { groupId });
  // The lock serializes creations, so that two concurrent ones are both counted.
  await run(tx, sql`select pg_advisory_xact_lock(hashtext(${`incoming-webhooks:${groupId}`}))`);
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from incoming_webhooks where group_id = ${groupId}`,
  );
  if (n >= MAX_WEBHOOKS)
    throw new Refusal(
      "conflict",
      msg("There can be at most {most} webhooks here. Delete one first.", { most: MAX_WEBHOOKS }),
    );
  await assertFormOfGroup(tx, me, { groupId, ...form });
  const [id, token] = [tx.newId(), createChecksumToken(PREFIX)];
  await run(
    tx,
    sql`insert into incoming_webhooks (id, group_id, bot_id, name, starts_discussions, discussion_id, token_hash,
        created_at)
      values (${id}, ${groupId}, ${form.botId}, ${form.name}, ${form.discussion === null}, ${form.discussion},
        ${hashSecret(token)}, ${tx.now})`,
  );
  await recordChange(tx, me, { groupId, webhookId: id }, "incoming_webhook.created");
  return { id, token };
}

/** Locks the row of an incoming webhook that the viewer may manage. */
async function lockWebhook(tx: Tx, viewer: Viewer, { groupId, webhookId }: WebhookTarget): Promise<SignedIn> {
  const me = await assertCanManageWebhooks(tx, viewer, { groupId });
  const found =
    isId(webhookId) &&
    (await maybeOne(
      tx,
      sql`select from incoming_webhooks where id = ${webhookId} and group_id = ${groupId} for update`,
    ));
  if (!found) throw notFound();
  return me;
}

/** @throws like `createIncomingWebhook`, `not-found` */
export async function changeIncomingWebhook(
  tx: Tx,
  viewer: Viewer,
  { groupId, webhookId, ...form }: IncomingWebhookForm & WebhookTarget,
): Promise<void> {
  const me = await lockWebhook(tx, viewer, { groupId, webhookId });
  await assertFormOfGroup(tx, me, { groupId, ...form });
  await run(
    tx,
    sql`update incoming_webhooks set name = ${form.name}, bot_id = ${form.botId},
      starts_discussions = ${form.discussion === null}, discussion_id = ${form.discussion} where id = ${webhookId}`,
  );
  await recordChange(tx, me, { groupId, webhookId }, "incoming_webhook.changed");
}

/**
 * Replaces the token; only this result contains the new one. The previous one is accepted for another day.
 * @throws like `getIncomingWebhook`
 */
export async function rotateIncomingWebhook(tx: Tx, viewer: Viewer, target: WebhookTarget): Promise<string> {
  const me = await lockWebhook(tx, viewer, target);
  const token = createChecksumToken(PREFIX);
  await run(
    tx,
    sql`update incoming_webhooks set previous_hash = token_hash, previous_until = ${addMilliseconds(tx.now, DAY)},
      token_hash = ${hashSecret(token)} where id = ${target.webhookId}`,
  );
  await recordChange(tx, me, target, "incoming_webhook.rotated");
  return token;
}

/** Pauses or resumes an incoming webhook. While it is paused, messages are refused. */
export async function pauseIncomingWebhook(
  tx: Tx,
  viewer: Viewer,
  { paused, ...target }: WebhookTarget & { paused: boolean },
): Promise<void> {
  const me = await lockWebhook(tx, viewer, target);
  await run(
    tx,
    sql`update incoming_webhooks set paused_at = ${paused ? tx.now : null} where id = ${target.webhookId}`,
  );
  await recordChange(tx, me, target, paused ? "incoming_webhook.paused" : "incoming_webhook.resumed");
}

/** @throws like `getIncomingWebhook` */
export async function deleteIncomingWebhook(tx: Tx, viewer: Viewer, target: WebhookTarget): Promise<void> {
  const me = await lockWebhook(tx, viewer, target);
  await run(tx, sql`delete from incoming_webhooks where id = ${target.webhookId}`);
  await recordChange(tx, me, target, "incoming_webhook.deleted");
}
