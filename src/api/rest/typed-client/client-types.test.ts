import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createTable } from "#baas/data";
import {
  APP,
  CLIENT,
  SERVER,
  startTestApi,
  type TestRestApi,
} from "../../../../test/support/rest/rest-server.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { writeClientTypes } from "./client-types.ts";
import { schemaToTypeScript } from "./json-schema-types.ts";

const database = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "kith-types-"));
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(async () => {
  await testApi.close();
  rmSync(folder, { recursive: true });
});

const runNode = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: resolve(".") });
  return stdout;
};
/** Compiles a program beside the types with the client's own types; returns the errors. */
async function compile(lines: string[]): Promise<string> {
  writeFileSync(join(folder, "program.ts"), lines.join("\n"));
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--moduleDetection",
    "force",
    "--target",
    "es2024",
  ];
  const config = ["--ignoreConfig", "--allowImportingTsExtensions", "--types", ""];
  const program = [join(folder, "client.d.ts"), join(folder, "program.ts")];
  return runNode("node_modules/typescript/bin/tsc", ...options, ...config, ...program).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

describe("types of a site", () => {
  test("type the published client, and reject what the site does not have", async () => {
    await createTable(testApi.app.tables, {
      name: "Beds",
      columns: [
        { name: "area", dataType: "DOUBLE", required: true },
        { name: "planted_on", dataType: "DATETIME" },
      ],
    });
    const file = join(folder, "kith.ts");
    await runNode("src/commands/types.ts", `${testApi.origin()}/${APP}/${SERVER}`, file);
    const types = resolve("node_modules/backendless/backendless.d.ts");
    writeFileSync(join(folder, "client.d.ts"), `/// <reference path="${types}" />\n`);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const start = [
      'import Backendless from "backendless";',
      'import type { Kith, Store, Tables } from "./kith.ts";',
      "const kith = Backendless as unknown as Kith;",
    ];
    const good = [
      'const [post] = await kith.Data.of("Posts").find({ where: "number = 1" });',
      "export const text: string | null | undefined = post?.text;",
      "export const created: number | undefined = post?.created;",
      'export const title: string | null | undefined = (await kith.Data.of("Discussions").findFirst()).title;',
      'const bed = await kith.Data.of("Beds").save({ area: 3.5 });',
      "export const area: number = bed.area;",
      'export const same: Tables["Beds"] = bed;',
      'await kith.CustomServices.invoke("Posts", "react", { postId: "1", emoji: "🍐" });',
      // The typed methods are those of the client, which infers the type of a saved record from its columns.
      'export const store: Omit<Store<Tables["Beds"]>, "save"> = Backendless.Data.of("Beds");',
      'export const services: Kith["CustomServices"] = Backendless.CustomServices;',
    ];
    expect(await compile([...start, ...good])).toBe("");
    const wrong = [
      'await kith.Data.of("Nowhere").find();',
      'await kith.Data.of("Beds").save({ area: "large" });',
      'await kith.CustomServices.invoke("Posts", "react", { postId: "1" });',
      'await kith.CustomServices.invoke("Posts", "shout", {});',
    ];
    const errors = await compile([...start, ...wrong]);
    for (const line of [4, 5, 6, 7]) expect(errors).toContain(`program.ts(${line},`);
  });

  test("contain data tables only for the server key", async () => {
    await createTable(testApi.app.tables, {
      name: "Secrets",
      columns: [{ name: "code", dataType: "STRING" }],
    });
    const read = async (base: string) => {
      const answer = await fetch(`${testApi.origin()}${base}/types.ts`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      return answer.text();
    };
    const open = await read("/api");
    expect(await read(`/${APP}/${CLIENT}`)).toBe(open);
    expect([open.includes("Secrets"), open.includes("export interface Discussions")]).toEqual([false, true]);
    expect(await read(`/${APP}/${SERVER}`)).toContain("export interface Secrets {");
  });

  test("stay valid for names and texts that TypeScript reserves", async () => {
    const text = writeClientTypes(
      [{ name: "Tables", columns: [{ name: "objectId", dataType: "STRING_ID" }], relations: [] }],
      [{ service: "odd-one", name: "run", about: "Ends */ a comment.", input: z.object({ "a-b": z.int() }) }],
    );
    expect(text).toContain("export interface TablesTable {");
    expect(text).toContain('"odd-one": {');
    expect(text).toContain("/** Ends * / a comment. */");
    expect(text).toContain('"a-b": number;');
  });
});

test.each([
  [{ type: "string" }, "string"],
  [{ enum: ["all", 3] }, '"all" | 3'],
  [{ type: ["integer", "null"] }, "number | null"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } }, "(string | number)[]"],
  [{ type: "object", additionalProperties: { type: "boolean" } }, "Record<string, boolean>"],
  [{ const: "yes" }, '"yes"'],
  [{}, "unknown"],
  [true, "unknown"],
])("type of %j is %s", (schema, type) => expect(schemaToTypeScript(schema)).toBe(type));
