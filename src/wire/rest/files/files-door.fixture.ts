import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, type RestDoor, SERVER } from "../rest.fixture.ts";

export const database = await testDatabase();
export let door: RestDoor;
export let files: ReturnType<RestDoor["sdk"]>["Files"];
const disk = mkdtempSync(join(tmpdir(), "kith-sent-"));
beforeAll(async () => {
  door = await openDoor(database);
  files = door.sdk(SERVER).Files;
});
beforeEach(() => door.forget());
afterAll(async () => {
  await door.close();
  rmSync(disk, { recursive: true });
});

export const urlOf = (path: string) => `${door.origin()}/${APP}/${CLIENT}/files/${path}`;
export const get = (path: string, headers: Record<string, string> = {}) => fetch(urlOf(path), { headers });
export const contentOf = async (path: string) => (await get(path)).text();
export const names = async (path: string, ...more: unknown[]) =>
  ((await (files.listing as (...all: unknown[]) => Promise<unknown>)(path, ...more)) as { name: string }[]).map(({ name }) => name);
export const streamOf = (name: string, content: string | Buffer) => {
  writeFileSync(join(disk, name), content);
  return createReadStream(join(disk, name)) as never;
};
export const paths = async () =>
  (
    await many(
      database.db,
      sql<{ path: string }>`
        with recursive t as (
          select id, kind, '/' || name as path from program_files where parent_id is null
          union all select f.id, f.kind, t.path || '/' || f.name from t join program_files f on f.parent_id = t.id)
        select path || case kind when 'directory' then '/' else '' end as path from t order by path`,
    )
  ).map(({ path }) => path);
