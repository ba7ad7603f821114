import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/rest/index.ts";
import { SEARCH_ENDPOINTS } from "../../src/api/search/index.ts";
import { fillEndpointTables } from "../support/rest/endpoint-tables.ts";

const DOCS = new URL("../../docs/api.md", import.meta.url).pathname;

/** To write the tables anew: `node_modules/.bin/vitest run test/contract/api-tables.test.ts -u`. */
test("endpoint tables of docs/api.md equal those generated from the declarations", async () => {
  const endpoints = [...ENDPOINTS, ...SEARCH_ENDPOINTS];
  await expect(fillEndpointTables(readFileSync(DOCS, "utf8"), endpoints)).toMatchFileSnapshot(DOCS);
});
