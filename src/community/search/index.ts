export { FACETS, INDICES, MOST_VALUES, NUMBERS, READABLE_FACETS, SEARCHABLE } from "./engine.ts";
export type {
  Excerpt,
  Facet,
  FacetQuery,
  FacetValue,
  Filed,
  Filter,
  Hit,
  Index,
  Mark,
  Marks,
  NumberAttribute,
  Query,
  Results,
  SearchDocument,
  Searchable,
  Searched,
  SearchEngine,
  Sort,
} from "./engine.ts";
export { openSearch } from "./open-search.ts";
export type { Search } from "./open-search.ts";
export type { Progress } from "./filing/filing.ts";
export { FOUND_PAGES, lookUp } from "./page.ts";
export type { FoundLine, FoundPage, FoundSection } from "./page.ts";
export { readTyped, SORTS, typedAs } from "./typed.ts";
export type { Operator, Said, Typed } from "./typed.ts";
export {
  dropSearch,
  forgetSearches,
  NewSavedSearch,
  rememberSearch,
  savedSearchFor,
  saveSearch,
  searchesOf,
  SearchTelling,
  tellOfSearch,
} from "./kept.ts";
export type { KeptSearches, SavedSearch } from "./kept.ts";
export { tellOfNews } from "./news.ts";
export { missesFor, noteMiss, purgeMisses } from "./misses.ts";
export type { Miss } from "./misses.ts";
export { becauseRead } from "./because-read.ts";
export { similarDiscussions } from "./similar.ts";
export type { Similar } from "./similar.ts";
