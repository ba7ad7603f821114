export { FACETS, INDICES, MAX_FACET_VALUES, NUMERIC_ATTRIBUTES, READABLE_FACETS, SEARCHABLE_ATTRIBUTES } from "./engine.ts";
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
} from "./engine.ts";
export { openSearch } from "./open-search.ts";
export type { Search } from "./open-search.ts";
export type { IndexingProgress } from "./filing/filing.ts";
export { MAX_RESULT_PAGES, loadSearchPage } from "./page.ts";
export type { SearchResultItem, SearchResultPage, SearchResultSection } from "./page.ts";
export { parseSearchInput, SORTS, formatSearchInput } from "./typed.ts";
export type { OperatorName, OperatorValue, SearchInput } from "./typed.ts";
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
} from "./kept.ts";
export type { OwnSearches, SavedSearch } from "./kept.ts";
export { sendSearchAlerts } from "./news.ts";
export { listSearchMisses, recordSearchMiss, purgeSearchMisses } from "./misses.ts";
export type { SearchMiss } from "./misses.ts";
export { recommendFromReading } from "./because-read.ts";
export { listSimilarDiscussions } from "./similar.ts";
export type { SimilarDiscussion } from "./similar.ts";
