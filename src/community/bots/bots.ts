import { randomBytes } from "node:crypto";
import { type Database, type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { z } from "zod";
import { writeAudit } from "#community/audit";
import { type NewPicture, storePicture } from "#community/accounts";
import { personColumns, type PersonCard, requiredText } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { getGroup } from "#community/groups";
import { LIMITS, type SignedIn, type Viewer, webhookRules } from "#community/rules";

/** A bot as the owners of its group see it. */
export type Bot = PersonCard & { photoAlt: string; createdAt: Date };

/** Maximum number of bots per group. */
const MAX_BOTS = 10;
const PHOTO = { width: 400, height: 400 };

export const BotForm = z.object({
  name: requiredText("The name", "Give the bot a name.", LIMITS.displayName),
});
type GroupScope = { groupId: string };
type BotTarget = GroupScope & { botId: string };

/** The viewer that a bot is when it posts. No session or token ever has it. */
export const toBotViewer = (id: string): SignedIn => ({
  id,
  role: "member",
  trust: "established",
  limited: false,
  isBot: true,
});

/** @throws `not-found` for a group the viewer may not know of, `not-allowed` for all but its owners */
async function assertCanManageBots(db: Db, viewer: Viewer, groupId: string): Promise<SignedIn> {
  const me = requireSignedIn(viewer);
  if (!webhookRules.manageIn(me, await getGroup(db, me, groupId)))
    throw new Refusal("not-allowed", "Only owners of an active group manage its bots.");
  return me;
}

const selectBots = (which: ReturnType<typeof sql>) => sql<Bot>`
  select ${personColumns("p")}, p.photo_alt as "photoAlt", b.created_at as "createdAt"
  from bots b join people p on p.id = b.person_id
  where b.deleted_at is null and ${which} order by b.person_id`;

/**
 * Bots of a group, oldest first.
 * @throws `not-found` for a group the viewer may not know of, `not-allowed` for all but its owners
 */
export async function listBots(db: Db, viewer: Viewer, { groupId }: GroupScope): Promise<Bot[]> {
  await assertCanManageBots(db, viewer, groupId);
  return many(db, selectBots(sql`b.group_id = ${groupId}`));
}

/** Names of those ids that are bots, for texts about posts that the reader may see. */
export const listBotNames = (db: Db, ids: string[]): Promise<{ id: string; name: string }[]> =>
  many(
    db,
    sql<{ id: string; name: string }>`
      select p.id, p.display_name as name from bots b join people p on p.id = b.person_id
      where b.person_id = any(${ids}::uuid[])`,
  );

/** @throws like `listBots`, `not-found` for a bot of another group */
export async function getBot(db: Db, viewer: Viewer, { groupId, botId }: BotTarget): Promise<Bot> {
  await assertCanManageBots(db, viewer, groupId);
  const bot = isId(botId)
    ? await maybeOne(db, selectBots(sql`b.group_id = ${groupId} and b.person_id = ${botId}`))
    : null;
  if (!bot) throw notFound();
  return bot;
}

/**
 * Asserts that the bot belongs to the group. The bot cannot be deleted before the transaction ends.
 * @throws `invalid` on `botId`
 */
export async function assertBotOf(tx: Tx, { groupId, botId }: BotTarget): Promise<void> {
  const found = await maybeOne(
    tx,
    sql`select from bots where person_id = ${botId} and group_id = ${groupId} and deleted_at is null for share`,
  );
  if (!found) throw invalid("botId", "Choose one of the bots.");
}

/**
 * Creates a bot, which is a member of the group but not counted among its members. Its username is random and
 * shown nowhere.
 * @throws like `listBots`, `conflict` above the limit
 */
export async function createBot(
  tx: Tx,
  viewer: Viewer,
  { groupId, name }: z.output<typeof BotForm> & GroupScope,
): Promise<{ id: string }> {
  const me = await assertCanManageBots(tx, viewer, groupId);
  // The lock serializes creations, so that two concurrent ones are both counted.
  await run(tx, sql`select pg_advisory_xact_lock(hashtext(${`bots:${groupId}`}))`);
  const { n } = await one(
    tx,
    sql<{
      n: number;
    }>`select count(*)::int as n from bots where group_id = ${groupId} and deleted_at is null`,
  );
  if (n >= MAX_BOTS)
    throw new Refusal(
      "conflict",
      msg("A group can have at most {most} bots. Delete one first.", { most: MAX_BOTS }),
    );
  const id = tx.newId();
  await run(
    tx,
    sql`insert into people (id, username, display_name, state, trust, created_at)
      values (${id}, ${`bot-${randomBytes(8).toString("hex")}`}, ${name}, 'bot', 'established', ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into bots (person_id, group_id, created_by, created_at) values (${id}, ${groupId}, ${me.id}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into memberships (group_id, person_id, state, role, joined_at, changed_at)
      values (${groupId}, ${id}, 'member', 'member', ${tx.now}, ${tx.now})`,
  );
  await recordChange(tx, me, { groupId, botId: id }, "bot.created");
  return { id };
}

const recordChange = (tx: Tx, me: SignedIn, { groupId, botId }: BotTarget, act: string) =>
  writeAudit(tx, me, { act, kind: "group", id: groupId, details: { botId } });

/** @throws like `getBot` */
async function lockBot(tx: Tx, viewer: Viewer, { groupId, botId }: BotTarget): Promise<SignedIn> {
  const me = await assertCanManageBots(tx, viewer, groupId);
  const found =
    isId(botId) &&
    (await maybeOne(
      tx,
      sql`select from bots where person_id = ${botId} and group_id = ${groupId} and deleted_at is null for update`,
    ));
  if (!found) throw notFound();
  return me;
}

/** @throws like `getBot` */
export async function renameBot(
  tx: Tx,
  viewer: Viewer,
  { name, ...target }: z.output<typeof BotForm> & BotTarget,
): Promise<void> {
  const me = await lockBot(tx, viewer, target);
  await run(
    tx,
    sql`update people set display_name = ${name}, updated_at = ${tx.now} where id = ${target.botId}`,
  );
  await recordChange(tx, me, target, "bot.changed");
  await emit(tx, { type: "person.changed", personId: target.botId });
}

/**
 * Sets the photo of a bot. It is stored like a photo of the group: everyone who may see the group sees it.
 * @throws like `getBot` and `storePicture`
 */
export async function setBotPhoto(
  { database, storage }: { database: Database; storage: Storage },
  viewer: Viewer,
  target: BotTarget,
  picture: NewPicture,
): Promise<void> {
  await getBot(database.db, viewer, target);
  const { hash, size, alt } = await storePicture(storage, PHOTO, picture);
  await database.inTransaction(async (tx) => {
    const me = await lockBot(tx, viewer, target);
    const id = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, alt, attached_kind, attached_id,
        created_at)
          values (${id}, ${me.id}, ${hash}, ${size}, 'image/webp', ${PHOTO.width}, ${PHOTO.height}, ${alt},
            'group', ${target.groupId}, ${tx.now})`,
    );
    await replacePhoto(tx, me, target, id, alt);
  });
}

/** @throws like `getBot` */
export async function removeBotPhoto(tx: Tx, viewer: Viewer, target: BotTarget): Promise<void> {
  await replacePhoto(tx, await lockBot(tx, viewer, target), target, null, "");
}

/** The previous photo is detached, and deleted with other unused files. */
async function replacePhoto(tx: Tx, me: SignedIn, target: BotTarget, id: string | null, alt: string) {
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null
      where id = (select photo_id from people where id = ${target.botId})`,
  );
  await run(
    tx,
    sql`update people set photo_id = ${id}, photo_alt = ${alt}, updated_at = ${tx.now}
      where id = ${target.botId}`,
  );
  await recordChange(tx, me, target, "bot.changed");
  await emit(tx, { type: "person.changed", personId: target.botId });
}

/**
 * Deletes a bot and its incoming webhooks. Its posts stay, with its name.
 * @throws like `getBot`
 */
export async function deleteBot(tx: Tx, viewer: Viewer, target: BotTarget): Promise<void> {
  const me = await lockBot(tx, viewer, target);
  await run(tx, sql`update bots set deleted_at = ${tx.now} where person_id = ${target.botId}`);
  await run(tx, sql`delete from incoming_webhooks where bot_id = ${target.botId}`);
  await run(
    tx,
    sql`delete from memberships where group_id = ${target.groupId} and person_id = ${target.botId}`,
  );
  await recordChange(tx, me, target, "bot.deleted");
}
