import { run, sql } from "#platform/database";
import { approvePostOrEvent } from "#community/calendar";
import { addDocument, NewDocument } from "#community/resources";
import { type ApprovalMode, type SignedIn, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import {
  getDiscussion,
  PendingPostReturn,
  NewReply,
  replyOrAwaitApproval,
  returnPendingPost,
  withdrawPendingPost,
} from "#community/discussions";
import { getPostsPage } from "../discussions/shared-posts.ts";

export const database = await testDatabase();
export const { db, inTransaction: within, clock } = database;

export const setApprovalSetting = (look: ApprovalMode) =>
  run(
    db,
    sql`insert into settings (key, value, changed_at)
      values ('firstPosts', ${JSON.stringify(look)}::jsonb, now())
      on conflict (key) do update set value = excluded.value`,
  );

/**
 * Creates a discussion that Mira started in a group that Tomas owns and Elsa moderates; Nora is a new
 * member.
 */
export async function createApprovalTalk(
  look: ApprovalMode = "first",
  visibility: "public" | "private" | "secret" = "private",
) {
  const people = await createTestUsers(database);
  await setApprovalSetting(look);
  const group = await createTestGroup(database, people, { visibility });
  const { nora, elsa } = await within(async (tx) => ({
    nora: await createPerson(tx, "nora", "member", "new"),
    elsa: await createPerson(tx, "elsa"),
  }));
  await within((tx) => setMembership(tx, group.id, nora, "member"));
  await within((tx) => setMembership(tx, group.id, elsa, "moderator"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  return { ...people, nora, elsa, group, discussion };
}

type ReplyInput = {
  body?: string;
  clientId?: string;
  replyTo?: string;
  pollOptions?: string;
  pollCloses?: string;
};
export const sendReply = (who: Viewer, discussionId: string, words: ReplyInput = {}) =>
  within((tx) =>
    replyOrAwaitApproval(tx, who, NewReply.parse({ discussionId, body: "Hello, all of you.", ...words })),
  );
export const createPendingReply = async (who: Viewer, discussionId: string, words: ReplyInput = {}) => {
  const it = await sendReply(who, discussionId, words);
  if (!("waits" in it)) throw new Error("it does not wait");
  return it.waits;
};
export const approvePost = (who: Viewer, pendingPostId: string) =>
  within((tx) => approvePostOrEvent(tx, who, { pendingPostId }));
export const returnPost = (who: Viewer, pendingPostId: string, answer = "Complete your profile.") =>
  within((tx) => returnPendingPost(tx, who, PendingPostReturn.parse({ pendingPostId, answer })));
export const withdrawPost = (who: Viewer, pendingPostId: string) =>
  within((tx) => withdrawPendingPost(tx, who, { pendingPostId }));
export const listTexts = async (who: Viewer, discussionId: string) =>
  (await getPostsPage(db, who, await getDiscussion(db, who, discussionId), { page: 1 })).posts.map(
    ({ html }) => html?.replace(/<[^>]+>/g, "").trim(),
  );

export const createTestDocument = (by: SignedIn, groupId?: string) =>
  within((tx) =>
    addDocument(
      tx,
      { ...by, trust: "established" },
      NewDocument.parse({ title: "How to sow", body: "In rows.", ...(groupId && { groupId }) }),
    ),
  );

/** Uploads a picture for a text. */
export const createTestPicture = (by: SignedIn) =>
  within(async (tx) => {
    const id = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at)
        values (${id}, ${by.id}, ${"e".repeat(64)}, 1, 'image/webp', 1, 1, ${tx.now})`,
    );
    return id;
  });
