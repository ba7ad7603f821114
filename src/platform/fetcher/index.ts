export { FetchError, ForbiddenAddress } from "./fetch-errors.ts";
export { openFetcher } from "./fetcher.ts";
export type { Fetcher, LinkStatus, FetchedPage, SendResult } from "./fetcher.ts";
