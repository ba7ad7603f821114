export { FetchError, ForbiddenAddress, OversizedResponse } from "./fetch-errors.ts";
export { createFetcher } from "./fetcher.ts";
export type { FetchedDocument, Fetcher, LinkStatus, FetchedPage, SendResult } from "./fetcher.ts";
