// Comments on resources are posts, as in discussions.
export { comment, commentOrWait, commentsOn, lastCommentOn, NewComment } from "#community/discussions";
export { resourceFacets } from "./facets.ts";
export type { ResourceFacet, ResourceFacets } from "./facets.ts";
export { newestResources, resourcesFor, cardColumns } from "./library.ts";
export type { FileFacts, LibraryQuery, ResourceCard } from "./library.ts";
export { collectionsFor, itemsOn, shelfFor, shelfVisible, shelvesToPutOn } from "./shelf-lists.ts";
export type { Collection, Shelf, ShelfItem } from "./shelf-lists.ts";
export { addCurator, changeShelf, dropCurator, dropShelf, makeShelf, moveOnShelf, putOnShelf, takeFromShelf } from "./shelves.ts";
export { resourceFor, tombstoneFor, usedIn } from "./resource.ts";
export type { Resource, ResourceUse, Tombstone } from "./resource.ts";
export {
  NewDocument,
  NewFile,
  NewFileVersion,
  NewLink,
  NewShelf,
  NewSuggestion,
  OnShelf,
  ResourceChange,
  ResourceLevel,
  ResourceMove,
  ResourceRemoval,
  ShelfChange,
  ShelfCurator,
  ShelfMove,
  SuggestionAnswer,
  VersionWish,
} from "./forms.ts";
export { addDocument, addFile, addLink, recordUpload } from "./adding.ts";
export type { Upload } from "./adding.ts";
export { resourcesGroup, resourceVisible } from "./sight.ts";
export { fileFor, fileTextFor, thumbnailFor } from "./files.ts";
export type { FileText, StoredFile } from "./files.ts";
export { editResource, replaceFile, restoreVersion } from "./changing.ts";
export { moveResource, placesToMoveTo } from "./moving.ts";
export type { PlacesToMoveTo } from "./moving.ts";
export { checkLinks, watchLinks } from "./link-health.ts";
export { answerSuggestion, leadsNowhere, linkHealthOf, suggestAddress } from "./suggestions.ts";
export type { LinkHealth, Suggestion } from "./suggestions.ts";
export { purgeRemovedResources, putResourceBack, removeResource, restoreResource, takeResourceDown } from "./removing.ts";
export { versionOf, versionsOf } from "./versions.ts";
export type { Version } from "./versions.ts";
export { bookmarkResource, dropResourceBookmark, followResource } from "./following.ts";
export { featuredFor, featuredResources, featureResource, unfeatureResource } from "./featuring.ts";
export type { Featured } from "./featuring.ts";
export { normalisedAddress } from "./addresses.ts";
export { keptAlready, relatedTo } from "./related.ts";
export type { KeptAlready, Related } from "./related.ts";
export { keepableIn } from "./keeping.ts";
export type { Keepable } from "./keeping.ts";
