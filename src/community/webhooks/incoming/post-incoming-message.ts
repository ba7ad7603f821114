import { type Database, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import type { Limits } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import { escapeInline } from "#platform/markup";
import { toBotViewer } from "#community/bots";
import { replyOrAwaitApproval, startDiscussionOrAwaitApproval } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { IncomingMessage } from "./incoming-inputs.ts";
import { isHookToken } from "./incoming-webhooks.ts";

/** Maximum messages of one webhook per minute. */
const MESSAGE_LIMIT = { points: 60, seconds: 60 };
/** Maximum discussions that one webhook starts per day. */
const DISCUSSION_LIMIT = { points: 200, seconds: 86_400 };

type Target = {
  id: string;
  groupId: string;
  botId: string;
  botName: string;
  startsDiscussions: boolean;
  discussionId: string | null;
  isPaused: boolean;
  isBotMember: boolean;
  isGroupDeleted: boolean;
};
type PostedMessage = { discussionId: string; postId: string };

/**
 * Finds the incoming webhook of a token, and counts this message against its limit.
 * @throws `not-found` for an unknown, replaced or deleted token and for a deleted group, `not-allowed` while the
 * webhook is paused or its bot banned, `too-many` above the limit
 */
export async function admitIncomingMessage(
  { database, limits, now }: { database: Database; limits: Limits; now: () => Date },
  token: string,
): Promise<Target> {
  const hash = hashSecret(token);
  const found =
    isHookToken(token) &&
    (await maybeOne(
      database.db,
      sql<Target>`
        select w.id, w.group_id as "groupId", w.bot_id as "botId", w.starts_discussions as "startsDiscussions",
          w.discussion_id as "discussionId", w.paused_at is not null as "isPaused", p.display_name as "botName",
          coalesce(m.state = 'member', false) as "isBotMember", g.state = 'deleted' as "isGroupDeleted"
        from incoming_webhooks w join people p on p.id = w.bot_id join groups g on g.id = w.group_id
        left join memberships m on m.group_id = w.group_id and m.person_id = w.bot_id
        where w.token_hash = ${hash} or (w.previous_hash = ${hash} and w.previous_until > ${now()})`,
    ));
  if (!found) throw new Refusal("not-found", "There is no webhook at this address.");
  await limits.take("incoming-webhook", MESSAGE_LIMIT, found.id);
  if (found.isGroupDeleted) throw new Refusal("not-found", "The group of this webhook was deleted.");
  if (found.isPaused) throw new Refusal("not-allowed", "This webhook is paused.");
  if (!found.isBotMember)
    throw new Refusal("not-allowed", "The bot of this webhook was removed from the group or banned.");
  return found;
}

/**
 * Posts a message as the bot of the webhook, by the same commands as a person's.
 * @throws `invalid` on `text` or `title`, also for a blocked word or link, `not-found` for a deleted
 * discussion, `not-allowed` where the bot may not write and for texts that need approval, `too-many` in slow
 * mode and above the limit of discussions, `conflict` in a full discussion
 */
export async function postIncomingMessage(
  { database, limits }: { database: Database; limits: Limits },
  target: Target,
  message: IncomingMessage,
): Promise<PostedMessage> {
  if (target.startsDiscussions) await limits.take("incoming-discussions", DISCUSSION_LIMIT, target.id);
  return database.inTransaction(async (tx) => {
    const posted = await (
      target.startsDiscussions ? startWithMessage(tx, target, message) : replyWithMessage(tx, target, message)
    ).catch(renameFields);
    await run(
      tx,
      sql`update incoming_webhooks set used_at = ${tx.now}, messages = messages + 1 where id = ${target.id}`,
    );
    return posted;
  });
}

async function startWithMessage(
  tx: Tx,
  { groupId, botId, botName }: Target,
  message: IncomingMessage,
): Promise<PostedMessage> {
  const started = await startDiscussionOrAwaitApproval(tx, toBotViewer(botId), {
    groupId,
    title: createTitle(message, botName),
    body: message.text,
    tags: [],
  });
  if ("waits" in started) throw approvalRefusal();
  return { discussionId: started.id, postId: started.postId };
}

async function replyWithMessage(
  tx: Tx,
  { groupId, botId, discussionId }: Target,
  { text, title }: IncomingMessage,
): Promise<PostedMessage> {
  if (discussionId === null) throw discussionGoneRefusal();
  const name = title?.replace(/\s+/g, " ").trim();
  const body = name ? `**${escapeInline(name)}**\n\n${text}` : text;
  const reply = await replyOrAwaitApproval(tx, toBotViewer(botId), {
    discussionId,
    body: IncomingMessage.shape.text.parse(body),
  }).catch((error: unknown) => {
    throw error instanceof Refusal && error.reason === "not-found" ? discussionGoneRefusal() : error;
  });
  if ("waits" in reply) throw approvalRefusal();
  await assertInGroup(tx, reply.discussionId, groupId);
  return { discussionId: reply.discussionId, postId: reply.id };
}

/** Asserts that the discussion, or the one it was merged into, was not moved to another group. */
async function assertInGroup(tx: Tx, discussionId: string, groupId: string): Promise<void> {
  const found = await maybeOne(
    tx,
    sql`select from discussions where id = ${discussionId} and group_id = ${groupId}`,
  );
  if (!found) throw discussionGoneRefusal();
}

const discussionGoneRefusal = () =>
  new Refusal("not-found", "The discussion of this webhook was deleted or moved to another group.");
const approvalRefusal = () =>
  new Refusal("not-allowed", "The text has a word or link that needs approval here. It was not posted.");

/** Title of a new discussion: that of the message, or the beginning of its first line, without Markdown. */
function createTitle({ title, text }: IncomingMessage, botName: string): string {
  const line = title?.trim() ? title : (text.split("\n").find((it) => /[\p{L}\p{N}]/u.test(it)) ?? text);
  const plain = title?.trim()
    ? line
    : line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*_`#>~\\]/g, "");
  const letters = Array.from(plain.replace(/\s+/g, " ").trim());
  const short =
    letters.length > LIMITS.title.max
      ? `${letters.slice(0, LIMITS.title.max - 1).join("")}…`
      : letters.join("");
  return short.length >= LIMITS.title.min ? short : `${botName}: ${short}`;
}

/** The commands call the text `body`; senders call it `text`. */
function renameFields(error: unknown): never {
  if (!(error instanceof Refusal) || error.fieldDescriptors["body"] === undefined) throw error;
  const { body, ...fields } = error.fieldDescriptors;
  throw new Refusal(error.reason, error.descriptor, { fields: { text: body, ...fields } });
}
