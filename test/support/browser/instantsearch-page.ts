import { liteClient } from "algoliasearch/lite";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import {
  Highlight,
  Hits,
  InstantSearch,
  Pagination,
  RefinementList,
  SearchBox,
  Snippet,
  Stats,
} from "react-instantsearch";

/** A third-party page with InstantSearch set up as in its documentation, with our host. */
type SearchPageOptions = { appId: string; key: string; port: number; indexName: string };
const { appId, key, port, indexName } = (globalThis as unknown as { place: SearchPageOptions }).place;
const searchClient = liteClient(appId, key, {
  hosts: [{ url: "127.0.0.1", port, accept: "readWrite", protocol: "http" }],
  // By default a read fails after two seconds, which a busy machine may need.
  timeouts: { connect: 10_000, read: 30_000, write: 30_000 },
});

const SearchHit = ({ hit }: { hit: object }) =>
  h(
    "article",
    null,
    h(Highlight as never, { attribute: "title", hit } as never),
    h(Snippet as never, { attribute: "body", hit } as never),
  );

createRoot(document.querySelector("#page")!).render(
  h(
    InstantSearch as never,
    { searchClient, indexName, insights: false } as never,
    h(SearchBox),
    h(Stats),
    h(RefinementList as never, { attribute: "tags", operator: "or", searchable: true } as never),
    h(Hits as never, { hitComponent: SearchHit } as never),
    h(Pagination),
  ),
);
