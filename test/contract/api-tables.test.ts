import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Endpoint, ROUTES } from "../../src/api/rest/index.ts";
import { fillEndpointTables } from "../support/rest/endpoint-tables.ts";

const DOCS = new URL("../../docs/api.md", import.meta.url).pathname;

/** To write the tables anew: `node_modules/.bin/vitest run test/contract/api-tables.test.ts -u`. */
test("endpoint tables of docs/api.md are those of the declarations", async () => {
  const endpoints = ROUTES.filter((it): it is Endpoint => "summary" in it);
  await expect(fillEndpointTables(readFileSync(DOCS, "utf8"), endpoints)).toMatchFileSnapshot(DOCS);
});
