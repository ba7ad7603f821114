import {
  listMentionables,
  getPostHistory,
  draftTargets,
  getPostFile,
  getPost,
  renderQuote,
  getPostSource,
} from "#community/discussions";
import {
  listCollections,
  listComments,
  listFeaturedResources,
  getFile,
  getFileText,
  listCollectionItems,
  getSavablePost,
  findExistingResources,
  getLinkHealth,
  listResourceMoveTargets,
  listRelatedResources,
  getResourceFacets,
  getResource,
  listResources,
  getCollection,
  listAddableCollections,
  getThumbnail,
  getTombstone,
  listResourceUses,
  getVersion,
  listVersions,
} from "#community/resources";
import { listUnusedUploads, getOwnUpload } from "#community/uploads";
import { INSIDE_WORD } from "./marker-words.ts";
import { BLOCKED_NAME, type Reads } from "./leak-context.ts";

/** Reads of the library, its collections and files. */
export const libraryReads: Reads = {
  "library of the author": (db, viewer, at) => listResources(db, viewer, { owner: at.authorId }),
  library: (db, viewer) => listResources(db, viewer, {}),
  "library of the group": (db, viewer, at) => listResources(db, viewer, { group: at.groupId }),
  "library by word": (db, viewer) => listResources(db, viewer, { search: INSIDE_WORD }),
  facets: (db, viewer) => getResourceFacets(db, viewer, {}),
  resource: (db, viewer, at) => getResource(db, viewer, at.resourceId),
  "where a resource may go": async (db, viewer, at) =>
    listResourceMoveTargets(db, viewer, await getResource(db, viewer, at.resourceId)),
  "resource for all": (db, viewer, at) => getResource(db, viewer, at.libraryId),
  versions: async (db, viewer, at) => listVersions(db, viewer, await getResource(db, viewer, at.resourceId)),
  "first version": async (db, viewer, at) =>
    getVersion(db, viewer, await getResource(db, viewer, at.resourceId), 1),
  "removed resource": (db, viewer, at) => getResource(db, viewer, at.removedResourceId),
  "what was taken away": (db, viewer, at) => getTombstone(db, viewer, at.removedResourceId),
  comments: async (db, viewer, at) => listComments(db, viewer, await getResource(db, viewer, at.resourceId)),
  comment: (db, viewer, at) => getPost(db, viewer, at.commentId),
  "history of a comment": (db, viewer, at) => getPostHistory(db, viewer, at.commentId),
  "quoted comment": (db, viewer, at) => renderQuote(db, viewer, at.commentId),
  "source of a comment": (db, viewer, at) => getPostSource(db, viewer, at.commentId),
  "who can be called under it": (db, viewer, at) =>
    listMentionables(db, viewer, draftTargets.resource(at.resourceId), BLOCKED_NAME),
  "used in": async (db, viewer, at) =>
    listResourceUses(db, viewer, await getResource(db, viewer, at.libraryId)),
  collections: (db, viewer) => listCollections(db, viewer),
  "what is related": async (db, viewer, at) =>
    listRelatedResources(db, viewer, await getResource(db, viewer, at.libraryId)),
  "what of a post can be kept": (db, viewer, at) => getSavablePost(db, viewer, at.replyId),
  "what is kept already": (db, viewer, at) => findExistingResources(db, viewer, at.keptAddress),
  "what is featured": (db, viewer) => listFeaturedResources(db, viewer),
  "library by bookmarks": (db, viewer) => listResources(db, viewer, { mine: "yes" }),
  collection: (db, viewer, at) => getCollection(db, viewer, at.collectionId),
  "what stands on it": async (db, viewer, at) =>
    listCollectionItems(db, viewer, await getCollection(db, viewer, at.collectionId)),
  "collections to put on": async (db, viewer, at) =>
    listAddableCollections(db, viewer, await getResource(db, viewer, at.resourceId)),
  "collections of the group": (db, viewer, at) => listCollections(db, viewer, { group: at.groupId }),
  file: (db, viewer, at) => getFile(db, viewer, at.uploadId),
  "text of a file": (db, viewer, at) => getFileText(db, viewer, at.uploadId, 1),
  "health of a link": (db, viewer, at) => getLinkHealth(db, viewer, at.resourceId),
  thumbnail: (db, viewer, at) => getThumbnail(db, viewer, at.uploadId),
  "files of one's own": (db, viewer, at) => listUnusedUploads(db, viewer, [at.uploadId]),
  "a file of one's own": (db, viewer, at) => getOwnUpload(db, viewer, at.uploadId),
  "picture in a post": async (db, viewer, at) =>
    (await getPostFile(db, viewer, at.pictureId)).size === 77 ? INSIDE_WORD : null,
};
