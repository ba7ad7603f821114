import { algoliasearch } from "algoliasearch";
import { liteClient } from "algoliasearch/lite";
import algoliasearch4 from "algoliasearch-v4";
import { APP, KEY } from "./search-api.ts";

/**
 * Creates the published clients for an API. `port` is called when a client is created, because the port is
 * known only then.
 */
export function createSearchClients(port: () => number) {
  const hosts5 = () => [
    { url: "127.0.0.1", port: port(), accept: "readWrite" as const, protocol: "http" as const },
  ];
  const hosts4 = () => [{ url: `127.0.0.1:${port()}`, protocol: "http" }] as never;
  return {
    hosts4,
    hosts5,
    five: (key = KEY, more: object = {}) => algoliasearch(APP, key, { hosts: hosts5(), ...more }),
    lite: (key = KEY) => liteClient(APP, key, { hosts: hosts5() }),
    four: (key = KEY) => algoliasearch4(APP, key, { hosts: hosts4() }),
  };
}
