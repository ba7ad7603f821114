import sharp from "sharp";
import { HOUR } from "#platform/clock";
import { one, sql } from "#platform/database";
import type { Storage } from "#platform/storage";
import { addMessagePicture, NewMessage, sendMessage } from "#community/conversations";
import { addPicture, NewReply, reply } from "#community/discussions";
import { setGroupPicture } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

const createPicture = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();

/**
 * Adds a group with a photo, a post with a picture, a footnote and mentions of a person and a group, and a
 * message with a picture.
 */
export async function addPictures(
  database: TestDatabase,
  storage: Storage,
  me: SignedIn,
): Promise<{ post: string }> {
  const app = { database, storage };
  const { db, inTransaction: within, clock } = database;
  const at = await one(
    db,
    sql<{ groupId: string; slug: string; discussionId: string }>`
      select g.id as "groupId", g.slug, d.id as "discussionId" from memberships m
      join groups g on g.id = m.group_id join discussions d on d.group_id = g.id
      where m.person_id = ${me.id} and m.role = 'owner' and m.state = 'member' and d.locked_at is null
        and d.state = 'open' order by d.id limit 1`,
  );
  const { name } = await one(
    db,
    sql<{ name: string }>`select p.username as name from memberships m join people p on p.id = m.person_id
      where m.group_id = ${at.groupId} and m.state = 'member' and p.state = 'active' and p.id <> ${me.id}
      order by 1 limit 1`,
  );
  await setGroupPicture(app, me, at.groupId, "photo", {
    bytes: await createPicture("green"),
    crop: { x: 0.5, y: 0.5, zoom: 1 },
    alt: "A leaf",
  });
  const shown = await addPicture(app, me, `discussion:${at.discussionId}`, await createPicture("red"));
  clock.pass(HOUR);
  const body = `Look, @${name} and @${at.slug}:[^1]\n\n![Ripe](${shown.address})\n\n[^1]: Not yet.`;
  const { id } = await within((tx) => reply(tx, me, NewReply.parse({ discussionId: at.discussionId, body })));
  await sendPicture(app, me);
  return { post: id };
}

async function sendPicture(app: { database: TestDatabase; storage: Storage }, me: SignedIn): Promise<void> {
  const { id } = await one(
    app.database.db,
    sql<{
      id: string;
    }>`select conversation_id as id from participants where person_id = ${me.id} and state = 'accepted'
      order by 1 limit 1`,
  );
  const sent = await addMessagePicture(app, me, id, await createPicture("blue"));
  await app.database.inTransaction((tx) =>
    sendMessage(tx, me, NewMessage.parse({ conversationId: id, body: `![The sky](${sent.address})` })),
  );
}
