export {
  FACETS,
  INDICES,
  indicesInScope,
  MAX_FACET_VALUES,
  NUMERIC_ATTRIBUTES,
  READABLE_FACETS,
  SEARCHABLE_ATTRIBUTES,
} from "./search-engine.ts";
export type {
  Excerpt,
  Facet,
  FacetQuery,
  FacetValue,
  IndexDocument,
  Filter,
  Hit,
  Index,
  Mark,
  Marks,
  NumericAttribute,
  Query,
  Results,
  SearchDocument,
  SearchableAttribute,
  SearchScope,
  SearchEngine,
  Sort,
} from "./search-engine.ts";
export { createSearch } from "./create-search.ts";
export type { Search } from "./create-search.ts";
export type { IndexingProgress } from "./indexing/indexer.ts";
export { MAX_RESULT_PAGES, loadSearchPage } from "./search-page.ts";
export type { SearchResultItem, SearchResultPage, SearchResultSection } from "./search-page.ts";
export { parseSearchInput, SORTS, formatSearchInput } from "./search-input.ts";
export type { OperatorName, OperatorValue, SearchInput } from "./search-input.ts";
export {
  deleteSavedSearch,
  clearRecentSearches,
  NewSavedSearch,
  recordRecentSearch,
  getSavedSearch,
  saveSearch,
  listOwnSearches,
  SearchAlertSetting,
  setSearchAlert,
} from "./saved-searches.ts";
export type { OwnSearches, SavedSearch } from "./saved-searches.ts";
export { sendSearchAlerts } from "./search-alerts.ts";
export { listSearchMisses, recordSearchMiss, purgeSearchMisses } from "./search-misses.ts";
export type { SearchMiss } from "./search-misses.ts";
export { recommendFromReading } from "./reading-recommendations.ts";
export { listSimilarDiscussions } from "./similar-discussions.ts";
export type { SimilarDiscussion } from "./similar-discussions.ts";
