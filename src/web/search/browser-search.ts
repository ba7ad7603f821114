import type { LiteClient } from "algoliasearch/lite";
import { isObject } from "#platform/objects";
import { urls } from "../urls.ts";

/** How pages search in the browser: with the client's lite or full version, and with or without its cache. */
export type SearchConfig = { appId: string; search: { lite: boolean; cache: boolean } };

/** A search request to one index, in the client's format. */
export type SearchRequest = { indexName: string; query: string } & Record<string, unknown>;
export type SearchHit = { objectID: string; url: string; title: string } & Record<string, unknown>;
export type SearchResponse = { hits: SearchHit[]; nbHits: number; query: string };

export type BrowserSearch = { ask: (requests: SearchRequest[]) => Promise<SearchResponse[]> };

/** Milliseconds for which a response may be reused; new content can be found after that. */
const CACHE_TIME = 20_000;

/**
 * Searches from the browser through the search API, as the viewer of this page. Client and key are fetched
 * with the first request; if the key has expired, it is fetched again once.
 */
export function createBrowserSearch(
  { appId, search }: SearchConfig,
  origin = location.origin,
): BrowserSearch {
  let known: Promise<LiteClient> | null = null;
  let clearedAt = performance.now();
  const client = () => (known ??= createSearchClient(appId, search.lite, origin));
  const once = async (requests: SearchRequest[]) => {
    const it = await client();
    if (!search.cache || performance.now() - clearedAt > CACHE_TIME) {
      await it.clearCache();
      clearedAt = performance.now();
    }
    const { results } = await it.search<SearchHit>({ requests });
    return results.filter((result): result is SearchResponse & typeof result => "hits" in result);
  };
  return {
    ask: (requests) =>
      once(requests).catch((error: unknown) => {
        known = null;
        if (isObject(error) && error["status"] === 403) return once(requests);
        throw error;
      }),
  };
}

async function createSearchClient(appId: string, lite: boolean, origin: string): Promise<LiteClient> {
  const { protocol, hostname, port } = new URL(origin);
  const host = {
    url: hostname,
    accept: "readWrite" as const,
    protocol: protocol === "https:" ? ("https" as const) : ("http" as const),
    ...(port && { port: Number(port) }),
  };
  const [key, open] = await Promise.all([
    fetch(new URL(urls.searchKey(), origin), { cache: "no-store" }).then((answer): Promise<{ key: string }> =>
      answer.json(),
    ),
    lite
      ? import("algoliasearch/lite").then(({ liteClient }) => liteClient)
      : import("algoliasearch").then(
          ({ algoliasearch }) =>
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has all methods of the lite client
            algoliasearch as unknown as (typeof import("algoliasearch/lite"))["liteClient"],
        ),
  ]);
  return open(appId, key.key, { hosts: [host] });
}
