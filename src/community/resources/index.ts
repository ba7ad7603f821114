// Comments on resources are posts, as in discussions.
export {
  addComment,
  addCommentOrAwaitApproval,
  listComments,
  getLastCommentNumber,
  NewComment,
} from "#community/discussions";
export { getResourceFacets } from "./resource-facets.ts";
export type { ResourceFacet, ResourceFacets } from "./resource-facets.ts";
export { newestResourceRows, listResources } from "./resource-library.ts";
export type { LibraryQuery } from "./resource-library.ts";
export type { FileFacts, ResourceCard } from "./resource-columns.ts";
export {
  listCollections,
  listCollectionItems,
  getCollection,
  isCollectionVisible,
  listAddableCollections,
} from "./collection-queries.ts";
export type { Collection, CollectionView, CollectionEntry } from "./collection-queries.ts";
export {
  addCurator,
  editCollection,
  removeCurator,
  deleteCollection,
  createCollection,
  moveInCollection,
  addToCollection,
  removeFromCollection,
} from "./collection-commands.ts";
export { getResource, getTombstone, listResourceUses } from "./resource.ts";
export type { ResourceUse, Tombstone } from "./resource.ts";
export type { Resource } from "./resource-columns.ts";
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
} from "./resource-inputs.ts";
export {
  addDocument,
  addDocumentOrAwaitApproval,
  addFile,
  addFileOrAwaitApproval,
  addLink,
  addLinkOrAwaitApproval,
  recordUpload,
} from "./new-resources.ts";
export { approvePendingResource } from "./pending-resources.ts";
export { approveReturnedResource, returnReportedResource } from "./returned-resources.ts";
export type { Upload } from "./new-resources.ts";
export { joinResourceGroup, isResourceVisible } from "./resource-columns.ts";
export { getFile, getFileText, getThumbnail } from "./resource-files.ts";
export type { FileText, StoredFile } from "./resource-files.ts";
export { editResource, replaceFile, restoreVersion } from "./resource-edits.ts";
export { moveResource, listResourceMoveTargets } from "./move-resource.ts";
export type { ResourceMoveTargets } from "./move-resource.ts";
export { checkDueLinks, scheduleLinkChecks } from "./link-health.ts";
export { answerSuggestion, needsNewAddress, getLinkHealth, suggestAddress } from "./address-suggestions.ts";
export type { LinkHealth, Suggestion } from "./address-suggestions.ts";
export {
  purgeRemovedResources,
  restoreReportedResource,
  removeResource,
  restoreResource,
  removeReportedResource,
} from "./resource-removal.ts";
export {
  hiddenResourceEditableFrom,
  hideResource,
  lockReportedResource,
  unhideResource,
  unhideReviewedResource,
} from "./resource-hiding.ts";
export { getVersion, listVersions } from "./resource-versions.ts";
export type { Version } from "./resource-versions.ts";
export { addResourceBookmark, removeResourceBookmark, followResource } from "./resource-follows.ts";
export {
  listFeaturedResources,
  featuredResourceRows,
  featureResource,
  unfeatureResource,
} from "./featured-resources.ts";
export type { FeaturedResource } from "./featured-resources.ts";
export { normalizeAddress } from "./normalized-address.ts";
export { findExistingResources, listRelatedResources } from "./related-resources.ts";
export type { ExistingResource, RelatedResource } from "./related-resources.ts";
export { getSavablePost } from "./saved-posts.ts";
export type { SavablePost } from "./saved-posts.ts";
export { hideResourcesAgain, readResourceVisibility, undoResourceReturns } from "./decision-undo.ts";
export type { ResourceVisibility } from "./decision-undo.ts";
