export { FetchFault, ForbiddenAddress, openFetcher } from "./fetcher.ts";
export type { Fetcher, Looked, Page, Sent } from "./fetcher.ts";
