import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { DAY, addMilliseconds } from "#platform/clock";
import { hashSecret } from "#platform/ids";
import { createTestUsers, type TestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Reader that a page declares, by which a device decides which copies it may keep. */
const database = await testDatabase();
const { server } = await serveBuiltPages(database);
const { db, clock } = database;
let people: TestUsers;
beforeEach(async () => void (people = await createTestUsers(database)));

async function signedIn(stay: boolean): Promise<Record<string, string>> {
  const token = randomUUID();
  await run(
    db,
    sql`insert into sessions (id, token_hash, person_id, kind, stay, device, created_at, seen_at, expires_at)
        values (${randomUUID()}, ${hashSecret(token)}, ${people.mira.id}, 'web', ${stay}, '', ${clock.at},
          ${clock.at}, ${addMilliseconds(clock.at, DAY)})`,
  );
  return { cookie: `kith_session=${token}` };
}
async function page(headers: Record<string, string>, url = "/groups") {
  const answer = await server.inject({
    url,
    headers: { host: "kith.test", accept: "text/html", ...headers },
  });
  return {
    header: answer.headers["kith-reader"],
    marked: /^<!DOCTYPE html><html data-reader="([^"]+)" /.exec(answer.body)?.[1],
  };
}

describe("owner of offline copies", () => {
  test("is named on pages of a person who stays signed in on the device", async () => {
    const { id } = people.mira;
    expect(await page(await signedIn(true))).toEqual({ header: id, marked: id });
    expect(await page(await signedIn(true), "/groups/there-is-none")).toEqual({ header: id, marked: id });
  });

  test('is "guest" for short sessions, guests and ended sessions', async () => {
    const nobody = { header: "guest", marked: undefined };
    expect(await page(await signedIn(false))).toEqual(nobody);
    expect(await page({})).toEqual(nobody);
    // The second response comes from the cache for guests.
    expect(await page({})).toEqual(nobody);
    expect(await page({ cookie: "kith_session=ended" })).toEqual(nobody);
  });
});
