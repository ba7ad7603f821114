import { type Database, one, run, sql } from "#platform/database";
import { startConversation } from "#community/conversations";
import {
  archiveDiscussion,
  deleteDiscussion,
  mergeDiscussion,
  moveDiscussion,
  NewSplit,
  draftTargets,
  addReaction,
  saveDraft,
  splitDiscussion,
  castVote,
} from "#community/discussions";
import { createFriendLink } from "#community/friends";
import { createInviteLink, addStartItem } from "#community/groups";
import { reportPost } from "#community/moderation";
import { createAnnouncement } from "#community/notifications";
import {
  addDocument,
  addFile,
  addLink,
  addComment,
  NewLink,
  recordUpload,
  removeResource,
} from "#community/resources";
import type { Visibility } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  type TestUsers,
  createPerson,
} from "../test-users.ts";
import { insertFormerNotifications } from "./former-notifications.ts";

/** Marker words of the group: a viewer who receives one has read it. */
export const GROUP_NAME = "Zauberberg";
export const INSIDE_WORD = "Quittenmus";
/** A tag shared by content inside the group and public content. */
export const SHARED_TAG = "preserves";
export const REPORTED_WORD = "Hornissennest";
/** Former name of the group. */
export const FORMER_NAME = "The old beds";
/** In a deleted discussion: visible to those who can restore it. */
export const DELETED_WORD = "Schlehenfeuer";
/** In a pending post of a new account. */
export const PENDING_WORD = "Berberitze";
export const PRIVATE_WORD = "Flaschenpost";

/** `authorId` wrote all of it. */
export type LeakCommunity = {
  authorId: string;
  groupId: string;
  slug: string;
  discussionId: string;
  postId: string;
  replyId: string;
  /** A reply with a poll: one of the options has a marker word. */
  pollId: string;
  resourceId: string;
  libraryId: string;
  /** Removed by a moderator with a reason. */
  removedResourceId: string;
  commentId: string;
  shelfId: string;
  /** Address of a link resource. */
  keptAddress: string;
  uploadId: string;
  pictureId: string;
  /** In a pending post. */
  heldPictureId: string;
  conversationId: string;
  messageId: string;
  privatePictureId: string;
  /**
   * A public discussion whose posts were moved into this group, and the address of one that was merged here.
   */
  openId: string;
  /** The group of that discussion; some of its members are in the other one. */
  groundId: string;
  groundSlug: string;
  formerId: string;
  /** A profile field with an answer that only the author may see. */
  fieldId: string;
  /** To the members of the group. */
  announcementId: string;
  /** Export of the group by its owner Tomas. */
  exportId: string;
  /** The author's notification about the discussion. */
  notificationId: string;
  /** Token of a revoked invitation to the group. */
  revokedToken: string;
  /** Token of the author's revoked friend link. */
  friendToken: string;
};

/**
 * Creates a group of that name with everything that can be read in it, and a conversation beside it; Mira
 * wrote all of it.
 */
export async function createLeakCommunity(
  database: Database,
  { mira, tomas, noor }: TestUsers,
  visibility: Visibility,
): Promise<LeakCommunity> {
  const within = database.inTransaction;
  const group = await createTestGroup(
    database,
    { tomas, mira },
    {
      visibility,
      name: GROUP_NAME,
      about: visibility === "secret" ? INSIDE_WORD : "",
      purpose: "Together.",
      topic: GROUP_NAME,
    },
  );
  const discussion = await createTestDiscussion(database, mira, group.id, {
    title: `${INSIDE_WORD} for all`,
    body: INSIDE_WORD,
    tags: [INSIDE_WORD.toLowerCase(), SHARED_TAG],
  });
  const reply = await createTestReply(database, mira, discussion.id, {
    body: `${INSIDE_WORD} again`,
    replyTo: discussion.postId,
  });
  const asks = await createTestReply(database, mira, discussion.id, {
    body: "Which?",
    pollOptions: `${INSIDE_WORD}\nNothing`,
  });
  await within((tx) => castVote(tx, tomas, { postId: asks.id, options: [1] }));
  await within((tx) => addReaction(tx, tomas, { postId: discussion.postId, emoji: "👍" }));
  const former = await createTestDiscussion(database, mira, group.id, {
    title: `${INSIDE_WORD} too`,
    body: INSIDE_WORD,
  });
  const ground = await createTestGroup(database, { tomas, mira }, { name: "Open ground" });
  const open = await createTestDiscussion(database, mira, ground.id, {
    title: "All may read",
    body: "Open.",
    tags: [SHARED_TAG],
  });
  const gone = await createTestReply(database, mira, open.id, { body: INSIDE_WORD });
  const putAway = await createTestDiscussion(database, mira, group.id, {
    title: `${INSIDE_WORD} of old`,
    body: INSIDE_WORD,
  });
  const deleted = await createTestDiscussion(database, mira, group.id, {
    title: DELETED_WORD,
    body: DELETED_WORD,
  });
  await within(async (tx) => {
    const reason = "It belongs there.";
    await archiveDiscussion(tx, tomas, { discussionId: putAway.id, reason });
    await deleteDiscussion(tx, tomas, { discussionId: deleted.id, reason });
    await mergeDiscussion(tx, tomas, { discussionId: former.id, into: discussion.id, visibility, reason });
    const off = await splitDiscussion(
      tx,
      tomas,
      NewSplit.parse({ discussionId: open.id, postIds: [gone.id], title: INSIDE_WORD, reason }),
    );
    await moveDiscussion(tx, tomas, { discussionId: off.id, groupId: group.id, visibility, reason });
    await reportPost(tx, tomas, { postId: reply.id, reason: REPORTED_WORD });
  });
  return within(async (tx) => {
    const upload = await recordUpload(tx, mira, {
      hash: "b".repeat(64),
      size: 1,
      mime: "text/plain",
      fileName: `${INSIDE_WORD}.txt`,
    });
    await run(
      tx,
      sql`insert into file_texts (hash, state, text, thumbnail, read_at) values (${"b".repeat(64)}, 'read', ${INSIDE_WORD}, ${"d".repeat(64)}, ${tx.now})`,
    );
    const about = { why: INSIDE_WORD, tags: [INSIDE_WORD.toLowerCase()], language: "en", licence: "" };
    const { id: resourceId } = await addFile(tx, mira, {
      uploadId: upload.id,
      title: INSIDE_WORD,
      groupId: group.id,
      ...about,
    });
    await addDocument(tx, mira, { title: INSIDE_WORD, body: INSIDE_WORD, groupId: group.id, ...about });
    const { id: commentId } = await addComment(tx, mira, { resourceId, body: INSIDE_WORD });
    const { id: linkId } = await addLink(
      tx,
      mira,
      NewLink.parse({ url: `https://example.org/${group.id}`, title: INSIDE_WORD, groupId: group.id }),
    );
    await run(
      tx,
      sql`update resources set featured_at = ${tx.now}, featured_by = ${tomas.id} where id = ${linkId}`,
    );
    await run(
      tx,
      sql`insert into resource_bookmarks (person_id, resource_id, created_at) select id, ${linkId}, ${tx.now} from people`,
    );
    const { id: removedResourceId } = await addDocument(tx, mira, {
      title: DELETED_WORD,
      body: DELETED_WORD,
      groupId: group.id,
      ...about,
    });
    await removeResource(tx, tomas, { resourceId: removedResourceId, reason: INSIDE_WORD });
    const library = await addDocument(tx, mira, {
      title: "For everybody",
      body: "Open.",
      why: "",
      tags: [],
      language: "en",
      licence: "",
    });
    await run(
      tx,
      sql`insert into resource_uses (resource_id, post_id) values (${library.id}, ${discussion.postId})`,
    );
    const address = "https://example.org/";
    await run(
      tx,
      sql`insert into link_previews (address, title, fetched_at, requested_at) values (${address}, ${INSIDE_WORD}, ${tx.now}, ${tx.now}) on conflict do nothing`,
    );
    await run(
      tx,
      sql`insert into post_links (post_id, address, place) values (${discussion.postId}, ${address}, 1)`,
    );
    const pictureId = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
          values (${pictureId}, ${mira.id}, ${"c".repeat(64)}, 77, 'image/webp', 'post', ${reply.id}, ${tx.now})`,
    );
    // A new account wrote where posts need approval; the account is gone again, the post is pending.
    const newcomer = await createPerson(tx, "seedling", "member", "new");
    const [heldId, heldPictureId] = [tx.newId(), tx.newId()];
    await run(
      tx,
      sql`insert into pending_posts (id, author_id, discussion_id, said, body_html, created_at)
          values (${heldId}, ${newcomer.id}, ${discussion.id}, ${JSON.stringify({ body: PENDING_WORD })}, ${`<p>${PENDING_WORD}</p>`}, ${tx.now})`,
    );
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
          values (${heldPictureId}, ${newcomer.id}, ${"f".repeat(64)}, 79, 'image/webp', 'held', ${heldId}, ${tx.now})`,
    );
    const shelf = tx.newId();
    await run(
      tx,
      sql`insert into collections (id, group_id, curator_id, title, created_at) values (${shelf}, ${group.id}, ${mira.id}, ${INSIDE_WORD}, ${tx.now})`,
    );
    await run(
      tx,
      sql`insert into collection_items (collection_id, resource_id, position) values (${shelf}, ${resourceId}, 1), (${shelf}, ${library.id}, 2)`,
    );
    await run(
      tx,
      sql`insert into address_redirects (path, kind, thing_id) values ('/t/old', 'discussion', ${discussion.id}), ('/t/old/2', 'post', ${reply.id})`,
    );
    await saveDraft(tx, mira, {
      place: draftTargets.group(group.id),
      version: 0,
      title: PRIVATE_WORD,
      body: PRIVATE_WORD,
    });
    await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where id = ${tomas.id}`);
    const conversation = await startConversation(tx, mira, { to: ["tomas"], name: "", body: PRIVATE_WORD });
    const { id: messageId } = await one(
      tx,
      sql<{ id: string }>`select id from messages where conversation_id = ${conversation.id}`,
    );
    const privatePictureId = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, attached_kind, attached_id, created_at)
          values (${privatePictureId}, ${mira.id}, ${"d".repeat(64)}, 78, 'image/webp', 1, 1, 'message', ${messageId}, ${tx.now})`,
    );
    const shown = `<img src="/files/${privatePictureId}" alt="">`;
    await run(tx, sql`update messages set body_html = body_html || ${shown} where id = ${messageId}`);
    // Everyone once had a bookmark and a draft in there, whatever their membership is now.
    await run(
      tx,
      sql`insert into bookmarks (person_id, post_id, created_at, remind_at, reminded_at) select id, ${discussion.postId}, ${tx.now}, ${tx.now}, ${tx.now} from people`,
    );
    await run(
      tx,
      sql`insert into drafts (person_id, place, data, saved_at) select id, ${draftTargets.discussion(discussion.id)}, '{"title":"","body":"Begun."}', ${tx.now} from people`,
    );
    await run(
      tx,
      sql`insert into dropped_drafts (person_id, place, data, dropped_at) select person_id, place, data, saved_at from drafts`,
    );
    const fieldId = tx.newId();
    await run(
      tx,
      sql`insert into profile_fields (id, label, kind, audience, place, created_at) values (${fieldId}, 'Recipe', 'line', 'members', 1, ${tx.now})`,
    );
    await run(
      tx,
      sql`insert into profile_values (person_id, field_id, said, audience) values (${mira.id}, ${fieldId}, ${[INSIDE_WORD]}, 'nobody')`,
    );
    await run(
      tx,
      sql`insert into read_positions (person_id, discussion_id, level, read_at) select id, ${discussion.id}, 'watching', ${tx.now} from people
          on conflict (person_id, discussion_id) do update set level = 'watching'`,
    );
    await insertFormerNotifications(tx, {
      authorId: mira.id,
      groupId: group.id,
      formerName: FORMER_NAME,
      visibility,
      discussionId: discussion.id,
      deletedId: deleted.id,
      replyId: reply.id,
      resourceId,
      conversationId: conversation.id,
    });
    const said = { groupId: group.id, title: INSIDE_WORD, body: INSIDE_WORD };
    const { id: announcementId } = await createAnnouncement(tx, tomas, said);
    const { id: notificationId } = await one(
      tx,
      sql<{
        id: string;
      }>`select id from notifications where person_id = ${mira.id} and object_id = ${discussion.id} and kind = 'new_reply'`,
    );
    await setMembership(tx, group.id, noor, "left");
    const answers = JSON.stringify([{ question: `Like ${GROUP_NAME}?`, answer: INSIDE_WORD }]);
    await run(
      tx,
      sql`insert into decided_join_requests (id, group_id, person_id, asked_at, answers, outcome, reason, decided_at, decided_by)
          values (${tx.newId()}, ${group.id}, ${mira.id}, ${tx.now}, ${answers}, 'member', ${INSIDE_WORD}, ${tx.now}, ${tomas.id})`,
    );
    const shut = await createPerson(tx, "shut-out");
    await setMembership(tx, group.id, shut, "banned");
    await run(
      tx,
      sql`update memberships set reason = ${INSIDE_WORD}, appeal = ${`About ${GROUP_NAME}: ${INSIDE_WORD}`}, appealed_at = ${tx.now}
          where group_id = ${group.id} and person_id = ${shut.id}`,
    );
    await addStartItem(tx, tomas, { groupId: group.id, address: `/discussions/${discussion.id}` });
    const { token: revokedToken } = await createInviteLink(tx, mira, {
      groupId: group.id,
      entry: "join",
      mostUses: 1,
    });
    await run(tx, sql`update group_invitations set revoked_at = ${tx.now}`);
    const exportId = tx.newId();
    await run(
      tx,
      sql`insert into group_exports (id, group_id, person_id, created_at, ready_at, expires_at, hash, size)
          values (${exportId}, ${group.id}, ${tomas.id}, ${tx.now}, ${tx.now}, ${new Date(tx.now.getTime() + 86_400_000)}, ${INSIDE_WORD}, 1)`,
    );
    const { token: friendToken } = await createFriendLink(tx, mira);
    await run(tx, sql`update friend_links set revoked_at = ${tx.now}`);
    return {
      authorId: mira.id,
      groupId: group.id,
      slug: group.slug,
      discussionId: discussion.id,
      postId: discussion.postId,
      replyId: reply.id,
      pollId: asks.id,
      resourceId,
      libraryId: library.id,
      removedResourceId,
      commentId,
      shelfId: shelf,
      keptAddress: `https://example.org/${group.id}`,
      uploadId: upload.id,
      pictureId,
      heldPictureId,
      conversationId: conversation.id,
      messageId,
      privatePictureId,
      openId: open.id,
      groundId: ground.id,
      groundSlug: ground.slug,
      formerId: former.id,
      notificationId,
      announcementId,
      exportId,
      fieldId,
      revokedToken,
      friendToken,
    };
  });
}
