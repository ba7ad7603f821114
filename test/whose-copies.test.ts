import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { DAY, later } from "#platform/clock";
import { hashOf } from "#platform/ids";
import { cast, type Cast } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/** What a page says of who reads it, by which a device knows whose copies may lie on it. */
const database = await testDatabase();
const { server } = await servedPages(database);
const { db, clock } = database;
let people: Cast;
beforeEach(async () => void (people = await cast(database)));

async function signedIn(stay: boolean): Promise<Record<string, string>> {
  const token = randomUUID();
  await run(
    db,
    sql`insert into sessions (id, token_hash, person_id, door, stay, device, created_at, seen_at, expires_at)
        values (${randomUUID()}, ${hashOf(token)}, ${people.mira.id}, 'web', ${stay}, '', ${clock.at}, ${clock.at}, ${later(clock.at, DAY)})`,
  );
  return { cookie: `kith_session=${token}` };
}
async function page(headers: Record<string, string>, url = "/groups") {
  const answer = await server.inject({ url, headers: { host: "kith.test", accept: "text/html", ...headers } });
  return { says: answer.headers["kith-reader"], marked: /^<!DOCTYPE html><html data-reader="([^"]+)" /.exec(answer.body)?.[1] };
}

describe("a page", () => {
  test("is copied for who stays signed in on their device, and says so", async () => {
    const { id } = people.mira;
    expect(await page(await signedIn(true))).toEqual({ says: id, marked: id });
    expect(await page(await signedIn(true), "/groups/there-is-none")).toEqual({ says: id, marked: id });
  });

  test("is not where they do not stay, nor for a guest or whose session has ended: all of these are nobody's device", async () => {
    const nobody = { says: "guest", marked: undefined };
    expect(await page(await signedIn(false))).toEqual(nobody);
    expect(await page({})).toEqual(nobody);
    // Once more, as it is kept for guests.
    expect(await page({})).toEqual(nobody);
    expect(await page({ cookie: "kith_session=ended" })).toEqual(nobody);
  });
});
