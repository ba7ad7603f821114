export { FetchError, ForbiddenAddress } from "./fetch-errors.ts";
export { createFetcher } from "./fetcher.ts";
export type { Fetcher, LinkStatus, FetchedPage, SendResult } from "./fetcher.ts";
