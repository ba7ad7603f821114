import type { LiteClient } from "algoliasearch/lite";
import { urls } from "../urls.ts";

/** How pages search in the browser: with the small or the full client, and with or without a cache. */
export type DirectConfig = { appId: string; search: { lite: boolean; cache: boolean } };

/** A request to one index, in the client's format. */
export type DirectRequest = { indexName: string; query: string } & Record<string, unknown>;
export type DirectHit = { objectID: string; url: string; title: string } & Record<string, unknown>;
export type DirectAnswer = { hits: DirectHit[]; nbHits: number; query: string };

export type Direct = { ask: (requests: DirectRequest[]) => Promise<DirectAnswer[]> };

/** Milliseconds for which a response may be reused; new content is found after that. */
const KEPT = 20_000;

/**
 * Searches from the browser through the search API as the viewer of this page. Client and key are fetched on
 * the first request; an expired key is fetched again once.
 */
export function openDirect({ appId, search }: DirectConfig, origin = location.origin): Direct {
  let known: Promise<LiteClient> | null = null;
  let clearedAt = performance.now();
  const client = () => (known ??= connect(appId, search.lite, origin));
  const once = async (requests: DirectRequest[]) => {
    const it = await client();
    if (!search.cache || performance.now() - clearedAt > KEPT) {
      await it.clearCache();
      clearedAt = performance.now();
    }
    const { results } = await it.search<DirectHit>({ requests });
    return results as DirectAnswer[];
  };
  return {
    ask: (requests) =>
      once(requests).catch((error: unknown) => {
        known = null;
        if ((error as { status?: number }).status === 403) return once(requests);
        throw error;
      }),
  };
}

async function connect(appId: string, lite: boolean, origin: string): Promise<LiteClient> {
  const { protocol, hostname, port } = new URL(origin);
  const host = {
    url: hostname,
    accept: "readWrite" as const,
    protocol: protocol.slice(0, -1) as "https",
    ...(port && { port: Number(port) }),
  };
  const [key, open] = await Promise.all([
    fetch(new URL(urls.searchKey(), origin), { cache: "no-store" }).then((answer) => answer.json() as Promise<{ key: string }>),
    lite
      ? import("algoliasearch/lite").then(({ liteClient }) => liteClient)
      : import("algoliasearch").then(
          ({ algoliasearch }) => algoliasearch as unknown as (typeof import("algoliasearch/lite"))["liteClient"],
        ),
  ]);
  return open(appId, key.key, { hosts: [host] });
}
