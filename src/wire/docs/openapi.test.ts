import { Validator } from "@seriousme/openapi-schema-validator";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PUBLISHED } from "#community/published";
import { testDatabase } from "../../../test/setup/database.ts";
import { APP, openDoor, type RestDoor } from "../rest/rest.fixture.ts";
import { openRest, ROUTES } from "../rest/index.ts";
import { endpointsOf, toldOfNone } from "./endpoints.ts";
import { serveDocs } from "./index.ts";
import { SHAPES } from "./shapes.ts";

const database = await testDatabase();
let door: RestDoor;
let described: Record<string, unknown> & { paths: Record<string, Record<string, unknown>> };
beforeAll(async () => {
  door = await openDoor(database, {}, serveDocs);
  described = (await (await fetch(`${door.origin()}/api/docs/openapi.json`)).json()) as typeof described;
});
afterAll(() => door.close());

/** Every address that a server has under the door's prefixes, as the server itself says it. */
async function registered() {
  const server = Fastify({ exposeHeadRoutes: false });
  const found = new Set<string>();
  server.addHook("onRoute", ({ method, url }) => {
    const path = new RegExp(`^/(?:api|${APP}/:apiKey)(/.*)$`).exec(url)?.[1];
    // What is asked before a call, and what says that there is none, are no calls.
    if (path && path !== "/*") for (const it of [method].flat()) if (it !== "OPTIONS") found.add(`${it} ${path}`);
  });
  await openRest(door.house).serve(server);
  await server.close();
  return found;
}
/** The same of the document; services stand there one by one. */
const documented = () =>
  new Set(
    Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace(/^\/services\/\w+\/\w+$/, "/services/{service}/{method}")}`,
      ),
    ),
  );

describe("the description for programs", () => {
  test("is OpenAPI 3.1, by the schema that the makers of OpenAPI have published", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(described))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect((await new Validator().validate({ ...described, paths: { "/info": { get: { responses: 1 } } } })).valid).toBe(false);
  });

  test("has every call that a server answers, and no other", async () => {
    const braces = (path: string) => path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}");
    const all = [...(await registered())].map(braces);
    expect(all.length).toBeGreaterThan(200);
    expect([...documented()].toSorted()).toEqual(all.toSorted());
  });

  test("says of every call what it is for, what it takes and what it gives; and tells of none that there is not", () => {
    const calls = endpointsOf(ROUTES);
    expect(calls.filter(({ about, exchange }) => about === "" || exchange === null).map(({ method, path }) => `${method} ${path}`)).toEqual(
      [],
    );
    expect(toldOfNone(ROUTES)).toEqual([]);
    // Shapes and nouns stand under their names in one place.
    expect(PUBLISHED.filter(({ name }) => Object.hasOwn(SHAPES, name))).toEqual([]);
  });
});
