// Comments on resources are posts, as in discussions.
export { addComment, addCommentOrHold, listComments, getLastCommentNumber, NewComment } from "#community/discussions";
export { getResourceFacets } from "./facets.ts";
export type { ResourceFacet, ResourceFacets } from "./facets.ts";
export { newestResourceRows, listResources, cardColumns } from "./library.ts";
export type { FileFacts, LibraryQuery, ResourceCard } from "./library.ts";
export { listCollections, listCollectionItems, getCollection, isCollectionVisible, listAddableCollections } from "./shelf-lists.ts";
export type { Collection, CollectionView, CollectionEntry } from "./shelf-lists.ts";
export {
  addCurator,
  editCollection,
  removeCurator,
  deleteCollection,
  createCollection,
  moveInCollection,
  addToCollection,
  removeFromCollection,
} from "./shelves.ts";
export { getResource, getTombstone, listResourceUses } from "./resource.ts";
export type { Resource, ResourceUse, Tombstone } from "./resource.ts";
export {
  NewDocument,
  NewFile,
  NewFileVersion,
  NewLink,
  NewCollection,
  NewSuggestion,
  CollectionItem,
  ResourceChange,
  ResourceLevel,
  ResourceMove,
  ResourceRemoval,
  CollectionChange,
  NewCurator,
  CollectionItemMove,
  SuggestionAnswer,
  VersionRestore,
} from "./forms.ts";
export { addDocument, addFile, addLink, recordUpload } from "./adding.ts";
export type { Upload } from "./adding.ts";
export { joinResourceGroup, resourceVisible } from "./sight.ts";
export { getFile, getFileText, getThumbnail } from "./files.ts";
export type { FileText, StoredFile } from "./files.ts";
export { editResource, replaceFile, restoreVersion } from "./changing.ts";
export { moveResource, listResourceMoveTargets } from "./moving.ts";
export type { ResourceMoveTargets } from "./moving.ts";
export { checkDueLinks, scheduleLinkChecks } from "./link-health.ts";
export { answerSuggestion, needsNewAddress, getLinkHealth, suggestAddress } from "./suggestions.ts";
export type { LinkHealth, Suggestion } from "./suggestions.ts";
export { purgeRemovedResources, restoreReportedResource, removeResource, restoreResource, removeReportedResource } from "./removing.ts";
export { getVersion, listVersions } from "./versions.ts";
export type { Version } from "./versions.ts";
export { addResourceBookmark, removeResourceBookmark, followResource } from "./following.ts";
export { listFeaturedResources, featuredResourceRows, featureResource, unfeatureResource } from "./featuring.ts";
export type { FeaturedResource } from "./featuring.ts";
export { normalizeAddress } from "./addresses.ts";
export { findExistingResources, listRelatedResources } from "./related.ts";
export type { ExistingResource, RelatedResource } from "./related.ts";
export { getSavablePost } from "./keeping.ts";
export type { SavablePost } from "./keeping.ts";
