export { FetchFault, openFetcher } from "./fetcher.ts";
export type { Fetcher, Page } from "./fetcher.ts";
