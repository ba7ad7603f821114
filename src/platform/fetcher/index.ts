export { FetchFault, openFetcher } from "./fetcher.ts";
export type { Fetcher, Page, Sent } from "./fetcher.ts";
