import type { SearchEngine } from "#community/search";
import type { Endpoint } from "../rest/index.ts";
import type { Caller, KeyPermission, SearchKeyContext } from "./search-caller.ts";

/** A call: its caller and input. */
export type SearchCall = {
  app: SearchKeyContext;
  engine: SearchEngine;
  caller: Caller;
  body: Record<string, unknown>;
  path: Record<string, string>;
  query: Record<string, unknown>;
  address: string;
};

/**
 * An endpoint of the search API. The router, OpenAPI, the documentation page and the contract test all read
 * this one declaration. Its input schemas are documentation only: handlers parse the input, because clients
 * expect particular errors.
 */
export type SearchEndpoint = Pick<
  Endpoint,
  "method" | "path" | "summary" | "permission" | "query" | "body" | "response" | "example"
> & {
  /** Permission that the key needs; none if missing. */
  right?: KeyPermission;
  handle: (call: SearchCall) => Promise<object>;
};

const EVERY_KEY: Endpoint["permission"] = { name: "everyone", caller: "guest" };
const SERVER_KEY: Endpoint["permission"] = {
  name: "the server key",
  caller: "server key",
  refusal: { status: 403, code: 403 },
};

/** Declares an endpoint of the search API. */
export const defineSearchEndpoint = (
  declaration: Omit<SearchEndpoint, "permission" | "example"> & Partial<Pick<SearchEndpoint, "example">>,
): SearchEndpoint => ({
  permission: declaration.right ? SERVER_KEY : EVERY_KEY,
  example: {},
  ...declaration,
});
