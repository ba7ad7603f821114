import { getRecord, getEntityRow } from "#community/api-entities";
import { type Reads } from "./leak-context.ts";

/** Reads of the API: rows and records. */
export const entityReads: Reads = {
  "post, as a record": (db, viewer, at) => getRecord(db, viewer, "Posts", at.replyId),
  "group, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Groups", at.groupId),
  "discussion, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Discussions", at.discussionId),
  "post, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Posts", at.replyId),
  "message, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Messages", at.messageId),
  "resource, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Resources", at.resourceId),
  "comment, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Comments", at.commentId),
  "event, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Events", at.eventId),
  "collection, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Collections", at.collectionId),
  "conversation, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Conversations", at.conversationId),
  "notification, as a row": (db, viewer, at) => getEntityRow(db, viewer, "Notifications", at.notificationId),
  "discussion, as a record": (db, viewer, at) => getRecord(db, viewer, "Discussions", at.discussionId),
  "comment, as a record": (db, viewer, at) => getRecord(db, viewer, "Comments", at.commentId),
  "group, as a record": (db, viewer, at) => getRecord(db, viewer, "Groups", at.groupId),
  "message, as a record": (db, viewer, at) => getRecord(db, viewer, "Messages", at.messageId),
};
