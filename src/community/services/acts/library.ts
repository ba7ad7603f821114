import { deletePost, editPost, PostChange } from "#community/discussions";
import { readNotification, unreadNotification } from "#community/notifications";
import {
  addDocument,
  addFile,
  addLink,
  changeShelf,
  comment,
  dropShelf,
  editResource,
  makeShelf,
  NewComment,
  NewDocument,
  NewFile,
  NewLink,
  NewShelf,
  removeResource,
  ResourceChange,
  ShelfChange,
} from "#community/resources";
import { invalid } from "#platform/refusal";
import { type Acts, read, together } from "./act.ts";

export const Resources: Acts = {
  async create({ tx, viewer }, { text, ...given }) {
    const it = { ...given, groupId: given["groupId"] ?? undefined, why: given["why"] ?? undefined, tags: given["tags"] ?? undefined };
    if (given["kind"] === "link") return (await addLink(tx, viewer, read(NewLink, it))).id;
    if (given["kind"] === "document") return (await addDocument(tx, viewer, read(NewDocument, { ...it, body: text ?? "" }))).id;
    if (given["kind"] === "file") return (await addFile(tx, viewer, read(NewFile, it))).id;
    throw invalid("kind", "A resource is a link, a document or a file.");
  },
  update: together(["title", "why", "url", "text", "tags", "language", "licence", "editsBy", "changes"], ({ tx, viewer }, now, given) => {
    const { objectId: resourceId, text, note, reason, ...it } = { ...now, ...given };
    const input = { ...it, resourceId, note: note ?? "", reason: reason ?? "", url: it["url"] ?? undefined, body: text || undefined };
    return editResource(tx, viewer, read(ResourceChange, input));
  }),
  remove: ({ tx, viewer }, { objectId: resourceId }) => removeResource(tx, viewer, { resourceId, reason: "" }),
};

export const Comments: Acts = {
  create: async ({ tx, viewer }, { text, ...given }) => (await comment(tx, viewer, read(NewComment, { ...given, body: text ?? "" }))).id,
  // The version is the one that the change was made from.
  update: together(["text", "version"], ({ tx, viewer }, now, given) => {
    const { objectId: postId, text, version, reason = "" } = { ...now, ...given };
    return editPost(tx, viewer, read(PostChange, { postId, body: text ?? "", version, reason }));
  }),
  // A call that removes carries no reason: moderators who have one call `Comments/delete`.
  remove: ({ tx, viewer }, { objectId: postId, ownerId }) =>
    deletePost(tx, viewer, { postId, reason: ownerId === viewer.id ? "" : "Removed through the API. No reason was given." }),
};

export const Collections: Acts = {
  create: async ({ tx, viewer }, given) =>
    (await makeShelf(tx, viewer, read(NewShelf, { ...given, groupId: given["groupId"] ?? undefined, about: given["about"] ?? undefined })))
      .id,
  update: together(["title", "about"], ({ tx, viewer }, now, given) => {
    const { objectId: shelfId, title, about } = { ...now, ...given };
    return changeShelf(tx, viewer, read(ShelfChange, { shelfId, title, about: about ?? "" }));
  }),
  remove: ({ tx, viewer }, { objectId: shelfId }) => dropShelf(tx, viewer, { shelfId }),
};

export const Notifications: Acts = {
  create: "What somebody is told of is made by what happens.",
  update: {
    unread: ({ tx, viewer }, { objectId: id }, { unread }) =>
      unread === true ? unreadNotification(tx, viewer, { id }) : readNotification(tx, viewer, { id }),
  },
  remove: "What somebody was told of goes by itself.",
};
