import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_ENTITIES } from "#community/api-entities";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { startTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";
import { ENDPOINTS } from "../rest/index.ts";
import { SEARCH_ENDPOINTS } from "../search/index.ts";
import { Components, describeEndpoint, formatPath } from "./describe-endpoint.ts";
import { serveDocs } from "./index.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let described: Record<string, unknown> & { paths: Record<string, Record<string, unknown>> };
beforeAll(async () => {
  testApi = await startTestApi(database, {}, serveDocs);
  described = (await (await fetch(`${testApi.origin()}/api/docs/openapi.json`)).json()) as typeof described;
});
afterAll(() => testApi.close());

/** The documented endpoints, with each service method as one endpoint. */
const documented = () =>
  new Set(
    Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} ${path.replace(/^\/services\/\w+\/\w+$/, "/services/{service}/{method}")}`,
      ),
    ),
  );

describe("OpenAPI document", () => {
  test("validates against the official OpenAPI 3.1 schema", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(described))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(
      (await new Validator().validate({ ...described, paths: { "/info": { get: { responses: 1 } } } })).valid,
    ).toBe(false);
  });

  test("contains every endpoint and no other", () => {
    const declared = [...ENDPOINTS, ...SEARCH_ENDPOINTS].map(
      ({ method, path }) => `${method} ${formatPath(path)}`,
    );
    expect(declared.length).toBeGreaterThan(200);
    expect([...documented()].toSorted()).toEqual(declared.toSorted());
  });

  test("does not use an entity name for a schema other than that of its records", () => {
    const components = new Components();
    for (const it of ENDPOINTS) describeEndpoint(it, components);
    expect(API_ENTITIES.filter(({ name }) => Object.hasOwn(components.schemas, name))).toEqual([]);
  });
});
