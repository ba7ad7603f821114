import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { deleteMessage, NewMessage, reactToMessage, sendMessage } from "#community/conversations";
import { editPost, NewDiscussion, startDiscussion, castVote } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { pinGroup } from "#community/groups";
import { addDocument, editResource, NewDocument, ResourceChange } from "#community/resources";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";
import { seedDemo } from "../../../src/community/import-export/index.ts";
import { addScheduledContent } from "./scheduled-content.ts";
import { addEventDetails } from "./community-events.ts";
import { addBookmarksAndHistory } from "./bookmarks-and-history.ts";
import { addPendingMemberships, createOpenedGroup, createPendingGroup } from "./community-groups.ts";
import { addPictures } from "./community-pictures.ts";

/** Creates the demo community with later activity: rows in every table that an archive contains. */
export async function createFullCommunity(database: TestDatabase, folder: string) {
  const t = { database, storage: createFolderStorage(folder) };
  await seedDemo(database, t.storage, "db/demo", {
    now: database.clock.at,
    print: () => {},
    passwordHash: async () => null,
  });
  const [mira, other] = await many(
    database.db,
    sql<{ id: string }>`select id from people where username in ('mira', 'tomas') order by username`,
  );
  const [me, you] = [mira!, other!].map(({ id }): SignedIn => ({
    id,
    role: "member",
    trust: "established",
    limited: false,
  }));
  await database.inTransaction((tx) => blockPerson(tx, me!, { personId: you!.id }));
  await addPendingMemberships(database, me!);
  await addChanges(database, me!);
  const { post: pictured } = await addPictures(database, t.storage, me!);
  const moons = await addBookmarksAndHistory(database, me!);
  const events = await addEventDetails(database, me!);
  const ahead = await addScheduledContent(database, me!);
  const opened = await createOpenedGroup(database, me!);
  await addFormerAddresses(database, opened.open);
  await setNotificationChoices(database, me!);
  return { ...t, pictured, moons, ahead, events, ...opened, ...(await createPendingGroup(database, me!)) };
}

/** Turns off mail for one person, and sets another person's kinds of mail and quiet hours. */
async function setNotificationChoices({ db, inTransaction }: TestDatabase, me: SignedIn): Promise<void> {
  const { group } = await one(
    db,
    sql<{
      group: string;
    }>`select group_id as "group" from memberships where person_id = ${me.id} order by 1 limit 1`,
  );
  await inTransaction(async (tx) => {
    await run(tx, sql`update people set mail_level = 'nothing' where username = 'tomas'`);
    await run(
      tx,
      sql`insert into mail_suppressions (person_id, scope, at)
        values (${me.id}, 'digest', ${tx.now}), (${me.id}, ${`group:${group}`}, ${tx.now})`,
    );
    await run(
      tx,
      sql`insert into notification_choices (person_id, kind, shown, mailed, pushed)
        values (${me.id}, 'reply', true, false, false)`,
    );
    await run(
      tx,
      sql`insert into notification_settings (person_id, quiet_from, quiet_to, quiet_days, paused_until,
        digest_every, digest_day, newcomers_apart)
          values (${me.id}, '22:30', '07:00', '{1,5}', ${addMilliseconds(tx.now, DAY)}, 'never', 3, true)`,
    );
  });
}

/** Adds old paths from an earlier import, and a former username. */
const addFormerAddresses = ({ inTransaction }: TestDatabase, discussion: string) =>
  inTransaction(async (tx) => {
    await run(
      tx,
      sql`insert into address_redirects (path, kind, thing_id)
          select '/t/12', 'discussion', ${discussion}::uuid
          union all select '/t/12/' || number, 'post', id from posts where discussion_id = ${discussion}
          union all select '/p/' || number, 'post', id from posts where discussion_id = ${discussion}
          union all select '/c/7', 'group', group_id from discussions where id = ${discussion}
          union all select '/u/' || username, 'user', id from people where username = 'mira'
          union all (select '/pub/1', 'resource', id from resources order by id limit 1)`,
    );
    await run(
      tx,
      sql`insert into former_usernames (username, person_id, until) select 'mira-before', id,
        ${addMilliseconds(tx.now, 300 * DAY)} from people where username = 'mira'`,
    );
  });

/** Adds a pinned group, post revisions, a poll with votes, and a document in its second version. */
async function addChanges(database: TestDatabase, me: SignedIn): Promise<void> {
  const { db, inTransaction: within } = database;
  const { id: group } = await one(
    db,
    sql<{
      id: string;
    }>`select group_id as id from memberships where person_id = ${me.id} and state = 'member' order by 1
      limit 1`,
  );
  await within((tx) => pinGroup(tx, me, { groupId: group }));
  const poll = {
    pollOptions: "Both\nNeither",
    pollChoice: "several",
    pollResults: "ended",
    pollCloses: addMilliseconds(database.clock.at, 2 * DAY).toISOString(),
  };
  const { id } = await within((tx) =>
    startDiscussion(
      tx,
      me,
      NewDiscussion.parse({ groupId: group, title: "Which of the two?", body: "Say.", tags: [], ...poll }),
    ),
  );
  const { post } = await one(
    db,
    sql<{ post: string }>`select id as post from posts where discussion_id = ${id}`,
  );
  await within((tx) => castVote(tx, me, { postId: post, options: [1, 2] }));
  await addMessageReplies(database, me);
  database.clock.pass(HOUR);
  await within((tx) => editPost(tx, me, { postId: post, body: "Say which.", version: 1 }));
  const added = await within((tx) =>
    addDocument(tx, me, NewDocument.parse({ groupId: group, title: "Minutes", body: "One.", why: "Kept." })),
  );
  const change = {
    resourceId: added.id,
    changes: 0,
    title: "Minutes",
    why: "Kept.",
    body: "Two.",
    note: "More",
    editsBy: "members",
  };
  await within((tx) => editResource(tx, me, ResourceChange.parse(change)));
}

/** Adds a reply to a message, a reaction, and a deleted message. */
async function addMessageReplies({ db, inTransaction: within }: TestDatabase, me: SignedIn): Promise<void> {
  const first = await one(
    db,
    sql<{ id: string; place: string }>`
      select x.id, x.conversation_id as place from messages x
      join participants p on p.conversation_id = x.conversation_id and p.person_id = ${me.id}
        and p.state = 'accepted'
      where x.author_id <> ${me.id} and x.deleted_at is null order by x.id limit 1`,
  );
  await within((tx) =>
    sendMessage(
      tx,
      me,
      NewMessage.parse({ conversationId: first.place, body: "That one.", replyTo: first.id }),
    ),
  );
  await within((tx) => reactToMessage(tx, me, { messageId: first.id, emoji: "🌱" }));
  const deletedMessage = await within((tx) =>
    sendMessage(tx, me, NewMessage.parse({ conversationId: first.place, body: "Not that one." })),
  );
  await within((tx) => deleteMessage(tx, me, { messageId: deletedMessage.id }));
}
