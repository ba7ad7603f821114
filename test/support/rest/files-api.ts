import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi, SERVER } from "./rest-server.ts";

export const database = await testDatabase();
export let testApi: TestRestApi;
export let files: ReturnType<TestRestApi["sdk"]>["Files"];
const uploadFolder = mkdtempSync(join(tmpdir(), "kith-sent-"));
beforeAll(async () => {
  testApi = await startTestApi(database);
  files = testApi.sdk(SERVER).Files;
});
beforeEach(() => testApi.forget());
afterAll(async () => {
  await testApi.close();
  rmSync(uploadFolder, { recursive: true });
});

export const fileUrlOf = (path: string) => `${testApi.origin()}/${APP}/${CLIENT}/files/${path}`;
export const fetchFile = (path: string, headers: Record<string, string> = {}) =>
  fetch(fileUrlOf(path), { headers });
export const readFileContent = async (path: string) => (await fetchFile(path)).text();
export const listFileNames = async (path: string, ...more: unknown[]) =>
  (
    (await (files.listing as (...all: unknown[]) => Promise<unknown>)(path, ...more)) as { name: string }[]
  ).map(({ name }) => name);
export const createFileStream = (name: string, content: string | Buffer) => {
  writeFileSync(join(uploadFolder, name), content);
  return createReadStream(join(uploadFolder, name)) as never;
};
export const listFilePaths = async () =>
  (
    await many(
      database.db,
      sql<{ path: string }>`
        with recursive t as (
          select id, kind, '/' || name as path from api_files where parent_id is null
          union all select f.id, f.kind, t.path || '/' || f.name from t
          join api_files f on f.parent_id = t.id)
        select path || case kind when 'directory' then '/' else '' end as path from t order by path`,
    )
  ).map(({ path }) => path);
