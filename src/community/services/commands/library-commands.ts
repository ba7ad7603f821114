import { deletePost, editPost, PostEdit } from "#community/discussions";
import { markNotificationRead, markNotificationUnread } from "#community/notifications";
import {
  addDocument,
  addFile,
  addLink,
  editCollection,
  addComment,
  deleteCollection,
  editResource,
  createCollection,
  NewComment,
  NewDocument,
  NewFile,
  NewLink,
  NewCollection,
  removeResource,
  ResourceChange,
  CollectionChange,
} from "#community/resources";
import { invalid } from "#platform/refusal";
import { type RecordCommands, parseInput, applyOnce } from "./record-commands.ts";

export const Resources: RecordCommands = {
  async create({ tx, viewer }, { text, ...given }) {
    const it = {
      ...given,
      groupId: given["groupId"] ?? undefined,
      why: given["why"] ?? undefined,
      tags: given["tags"] ?? undefined,
    };
    if (given["kind"] === "link") return (await addLink(tx, viewer, parseInput(NewLink, it))).id;
    if (given["kind"] === "document")
      return (await addDocument(tx, viewer, parseInput(NewDocument, { ...it, body: text ?? "" }))).id;
    if (given["kind"] === "file") return (await addFile(tx, viewer, parseInput(NewFile, it))).id;
    throw invalid("kind", "A resource is a link, a document or a file.");
  },
  update: applyOnce(
    ["title", "why", "url", "text", "tags", "language", "licence", "editsBy", "changes"],
    ({ tx, viewer }, now, given) => {
      const { objectId: resourceId, text, note, reason, ...it } = { ...now, ...given };
      const input = {
        ...it,
        resourceId,
        note: note ?? "",
        reason: reason ?? "",
        url: it["url"] ?? undefined,
        body: text || undefined,
      };
      return editResource(tx, viewer, parseInput(ResourceChange, input));
    },
  ),
  remove: ({ tx, viewer }, { objectId: resourceId }) =>
    removeResource(tx, viewer, { resourceId, reason: "" }),
};

export const Comments: RecordCommands = {
  create: async ({ tx, viewer }, { text, ...given }) =>
    (await addComment(tx, viewer, parseInput(NewComment, { ...given, body: text ?? "" }))).id,
  // Includes the version on which the edit is based.
  update: applyOnce(["text", "version"], ({ tx, viewer }, now, input) => {
    const { objectId: postId, text, version, reason = "" } = { ...now, ...input };
    return editPost(tx, viewer, parseInput(PostEdit, { postId, body: text ?? "", version, reason }));
  }),
  // A removal through the API contains no reason. Moderators who want to give one call `Comments/delete`.
  remove: ({ tx, viewer }, { objectId: postId, ownerId }) =>
    deletePost(tx, viewer, {
      postId,
      reason: ownerId === viewer.id ? "" : "Removed through the API. No reason was given.",
    }),
};

export const Collections: RecordCommands = {
  create: async ({ tx, viewer }, input) =>
    (
      await createCollection(
        tx,
        viewer,
        parseInput(NewCollection, {
          ...input,
          groupId: input["groupId"] ?? undefined,
          about: input["about"] ?? undefined,
        }),
      )
    ).id,
  update: applyOnce(["title", "about"], ({ tx, viewer }, now, input) => {
    const { objectId: collectionId, title, about } = { ...now, ...input };
    return editCollection(
      tx,
      viewer,
      parseInput(CollectionChange, { collectionId, title, about: about ?? "" }),
    );
  }),
  remove: ({ tx, viewer }, { objectId: collectionId }) => deleteCollection(tx, viewer, { collectionId }),
};

export const Notifications: RecordCommands = {
  create: "Notifications are created automatically.",
  update: {
    unread: ({ tx, viewer }, { objectId: id }, { unread }) =>
      unread === true ? markNotificationUnread(tx, viewer, { id }) : markNotificationRead(tx, viewer, { id }),
  },
  remove: "Notifications are removed automatically.",
};
