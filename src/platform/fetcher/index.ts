export { FetchError, ForbiddenAddress, openFetcher } from "./fetcher.ts";
export type { Fetcher, LinkStatus, FetchedPage, SendResult } from "./fetcher.ts";
