import { liteClient } from "algoliasearch/lite";
import algoliasearch4 from "algoliasearch-v4";
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";
import {
  Configure,
  DynamicWidgets,
  getServerState,
  Highlight,
  Hits,
  InstantSearch,
  InstantSearchSSRProvider,
  Pagination,
  RangeInput,
  RefinementList,
  SearchBox,
  Stats,
  ToggleRefinement,
} from "react-instantsearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createTestDocument,
  APP,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
} from "../../../test/support/search/search-api.ts";

const { engine } = createFakeEngine(
  Array.from({ length: 45 }, (_, n) =>
    createTestDocument(`d${n}`, {
      title: `Hello <${n}>`,
      tags: n % 2 === 0 ? ["soil"] : ["soil", "beans"],
      likes: n,
    }),
  ),
);
let testApi: TestSearchApi;
beforeAll(async () => void (testApi = await startTestSearchApi(engine)));
afterAll(() => testApi.server.close());

const Hit = ({ hit }: { hit: object }) => h(Highlight as never, { attribute: "title", hit } as never);

/** A typical InstantSearch page with every kind of widget. */
const page = (searchClient: unknown, state: object) =>
  h(
    InstantSearch,
    { searchClient: searchClient as never, indexName: "posts", initialUiState: { posts: state } } as never,
    h(SearchBox),
    h(Stats),
    h(Configure as never, { hitsPerPage: 10 } as never),
    h(RefinementList as never, { attribute: "tags", operator: "or" } as never),
    h(ToggleRefinement as never, { attribute: "isPublic" } as never),
    h(RangeInput as never, { attribute: "likes" } as never),
    h(DynamicWidgets as never, { fallbackComponent: () => null } as never),
    h(Pagination),
    h(Hits as never, { hitComponent: Hit } as never),
  );

test.each([
  [
    "version 5, lite",
    () =>
      liteClient(APP, KEY, {
        hosts: [{ url: "127.0.0.1", port: testApi.port, accept: "readWrite", protocol: "http" }],
      }),
  ],
  [
    "version 4",
    () =>
      algoliasearch4(APP, KEY, { hosts: [{ url: `127.0.0.1:${testApi.port}`, protocol: "http" }] as never }),
  ],
])("InstantSearch page renders completely from the API: %s", async (_client, client) => {
  const state = {
    query: "hel",
    page: 2,
    refinementList: { tags: ["soil"] },
    toggle: { isPublic: true },
    range: { likes: "1:40" },
  };
  const app = (serverState?: object) =>
    h(InstantSearchSSRProvider as never, serverState as never, page(client(), state));
  const serverState = await getServerState(app(), { renderToString });
  const html = renderToString(app(serverState)).replaceAll("<!-- -->", "");
  expect(html).toContain("45 results found");
  expect(html.match(/<mark class="ais-Highlight-highlighted">Hel<\/mark>/g)).toHaveLength(10);
  expect(html).toContain("lo &lt;10&gt;");
  expect(html).toMatch(/soil<\/span><span class="ais-RefinementList-count">45</);
  expect(html).toMatch(/beans<\/span><span class="ais-RefinementList-count">22</);
  expect(html).toContain('placeholder="7"');
  expect(html.match(/class="ais-Pagination-link"/g)!.length).toBeGreaterThan(4);
});
