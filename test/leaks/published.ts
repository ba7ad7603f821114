import { recordFor, rowFor } from "#community/published";
import { type Reads } from "./house.ts";

/** Reads of the API: rows and records. */
export const published: Reads = {
  "post, as a record": (db, viewer, at) => recordFor(db, viewer, "Posts", at.replyId),
  "group, as a row": (db, viewer, at) => rowFor(db, viewer, "Groups", at.groupId),
  "discussion, as a row": (db, viewer, at) => rowFor(db, viewer, "Discussions", at.discussionId),
  "post, as a row": (db, viewer, at) => rowFor(db, viewer, "Posts", at.replyId),
  "message, as a row": (db, viewer, at) => rowFor(db, viewer, "Messages", at.messageId),
  "resource, as a row": (db, viewer, at) => rowFor(db, viewer, "Resources", at.resourceId),
  "comment, as a row": (db, viewer, at) => rowFor(db, viewer, "Comments", at.commentId),
  "collection, as a row": (db, viewer, at) => rowFor(db, viewer, "Collections", at.shelfId),
  "conversation, as a row": (db, viewer, at) => rowFor(db, viewer, "Conversations", at.conversationId),
  "notification, as a row": (db, viewer, at) => rowFor(db, viewer, "Notifications", at.notificationId),
  "discussion, as a record": (db, viewer, at) => recordFor(db, viewer, "Discussions", at.discussionId),
  "comment, as a record": (db, viewer, at) => recordFor(db, viewer, "Comments", at.commentId),
  "group, as a record": (db, viewer, at) => recordFor(db, viewer, "Groups", at.groupId),
  "message, as a record": (db, viewer, at) => recordFor(db, viewer, "Messages", at.messageId),
};
