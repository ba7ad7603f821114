import { type Database, one, sql } from "#platform/database";
import { createAnnouncement } from "#community/notifications";
import type { Visibility } from "#community/rules";
import { createTestGroup, type TestUsers } from "../test-users.ts";
import { insertFormerNotifications } from "./former-notifications.ts";
import { addMarkedDiscussions } from "./marked-discussions.ts";
import { addMarkedEvent } from "./marked-event.ts";
import { addMarkedLibrary } from "./marked-library.ts";
import { addMarkedMemberships } from "./marked-memberships.ts";
import {
  addMarkedConversation,
  addPersonNote,
  addPrivateAnswer,
  addRevokedFriendLink,
} from "./marked-people.ts";
import { addMarkedWebhook } from "./marked-webhook.ts";
import { addPostAttachments, addReadersTraces } from "./marked-posts.ts";
import { FORMER_NAME, GROUP_NAME, INSIDE_WORD } from "./marker-words.ts";

/** Ids of the content, all of which `authorId` has written. */
export type LeakCommunity = {
  authorId: string;
  groupId: string;
  slug: string;
  discussionId: string;
  postId: string;
  replyId: string;
  /** A reply with a poll, one of whose options contains a marker word. */
  pollId: string;
  resourceId: string;
  libraryId: string;
  /** A resource that a moderator removed, with a reason. */
  removedResourceId: string;
  commentId: string;
  collectionId: string;
  /** Address of a link resource. */
  keptAddress: string;
  uploadId: string;
  pictureId: string;
  /** A picture in a pending post. */
  heldPictureId: string;
  conversationId: string;
  messageId: string;
  privatePictureId: string;
  /** A public discussion from which a post was moved to this group. */
  openId: string;
  /** The group of that public discussion; some of its members are also in this group. */
  groundId: string;
  groundSlug: string;
  /** A discussion that was merged into another one of this group. */
  formerId: string;
  /** A profile field with an answer that only the author may see. */
  fieldId: string;
  /** An announcement to the members of the group. */
  announcementId: string;
  /** An export of the group by its owner Tomas. */
  exportId: string;
  /** A past event that Mira attended. */
  eventId: string;
  seriesId: string;
  importId: string;
  occurrenceId: string;
  /** A past date poll, to whose time Mira said yes. */
  datePollId: string;
  timeId: string;
  /** The author's notification about the discussion. */
  notificationId: string;
  /** A webhook of the group with one delivery of the same id; both have marker words. */
  webhookId: string;
  /** A bot of the group, and its incoming webhook, with marker words as names. */
  botId: string;
  incomingWebhookId: string;
  /** Token of a revoked invitation to the group. */
  revokedToken: string;
  /** Token of the author's revoked friend link. */
  friendToken: string;
};

/**
 * Creates a group with this name and all kinds of readable content, and a conversation outside it. Mira
 * wrote all of it.
 */
export async function createLeakCommunity(
  database: Database,
  people: TestUsers,
  visibility: Visibility,
): Promise<LeakCommunity> {
  const { mira, tomas } = people;
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
  const discussions = await addMarkedDiscussions(database, people, group, visibility);
  const { discussion, reply, asks, former, ground, open, deleted } = discussions;
  return database.inTransaction(async (tx) => {
    const library = await addMarkedLibrary(tx, people, group, discussion);
    const attachments = await addPostAttachments(tx, people, { group, discussion, reply });
    const conversation = await addMarkedConversation(tx, people);
    await addReadersTraces(tx, discussion);
    const fieldId = await addPrivateAnswer(tx, people);
    await addPersonNote(tx, people);
    const event = await addMarkedEvent(tx, people, group);
    await insertFormerNotifications(tx, {
      authorId: mira.id,
      groupId: group.id,
      formerName: FORMER_NAME,
      visibility,
      discussionId: discussion.id,
      deletedId: deleted.id,
      replyId: reply.id,
      resourceId: library.resourceId,
      conversationId: conversation.conversationId,
      eventId: event.eventId,
      datePollId: event.datePollId,
    });
    const said = { groupId: group.id, title: INSIDE_WORD, body: INSIDE_WORD };
    const { id: announcementId } = await createAnnouncement(tx, tomas, said);
    const { id: notificationId } = await one(
      tx,
      sql<{
        id: string;
      }>`select id from notifications where person_id = ${mira.id} and object_id = ${discussion.id}
        and kind = 'new_reply'`,
    );
    const memberships = await addMarkedMemberships(tx, people, group, discussion);
    const webhook = await addMarkedWebhook(tx, people, group.id);
    const friendToken = await addRevokedFriendLink(tx, people);
    return {
      authorId: mira.id,
      groupId: group.id,
      slug: group.slug,
      discussionId: discussion.id,
      postId: discussion.postId,
      replyId: reply.id,
      pollId: asks.id,
      openId: open.id,
      groundId: ground.id,
      groundSlug: ground.slug,
      formerId: former.id,
      ...library,
      ...attachments,
      ...conversation,
      fieldId,
      notificationId,
      announcementId,
      ...memberships,
      ...event,
      ...webhook,
      friendToken,
    };
  });
}
