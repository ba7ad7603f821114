import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
const { server, as } = await serveBuiltPages(database);

/** Owner Tomas has been absent for long; Mira and Noor are members. */
async function scene() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  // Pages use the real clock, tests use the fixed one.
  await run(db, sql`update people set seen_at = now()`);
  await run(
    db,
    sql`update people set seen_at = ${addMilliseconds(database.clock.at, -61 * DAY)}
      where id = ${people.tomas.id}`,
  );
  const about = `/groups/${group.slug}?tab=about`;
  const read = async (who: SignedIn, url = about) =>
    (await server.inject({ url, headers: { host: "kith.test", accept: "text/html", ...as(who) } })).body;
  const post = async (who: SignedIn, url: string, fields: Record<string, string>) => {
    const headers = {
      host: "kith.test",
      origin: "http://kith.test",
      "content-type": "application/x-www-form-urlencoded",
      ...as(who),
    };
    const { statusCode } = await server.inject({
      method: "POST",
      url,
      headers,
      payload: new URLSearchParams(fields).toString(),
    });
    return statusCode;
  };
  return { ...people, group, about, read, post };
}

const ASK = "Ask for a new owner";

describe("member of a group with an absent owner and no moderators", () => {
  test("can request an owner on the group page, and an admin appoints a candidate", async () => {
    const { mira, noor, tomas, ada, group, about, read, post } = await scene();
    expect(await read(mira)).toContain(ASK);
    expect(await read(tomas)).not.toContain(ASK);
    expect(await post(mira, about, { intent: "request-owner", groupId: group.id })).toBe(302);
    expect(await read(noor)).toContain("The admins were asked for a new owner.");
    const desk = await read(ada, "/groups/desk");
    for (const name of ["Mira", "Noor"]) expect(desk).toContain(`>${name}</option>`);
    expect(await post(ada, "/groups/desk", { intent: "appoint", groupId: group.id, personId: noor.id })).toBe(
      302,
    );
    expect(
      await one(
        db,
        sql`select role from memberships where group_id = ${group.id} and person_id = ${noor.id}`,
      ),
    ).toEqual({
      role: "owner",
    });
    expect(await read(mira)).not.toContain("asked for a new owner");
    expect(await many(db, sql`select from groups where owner_requested_at is not null`)).toEqual([]);
  });

  test("cannot request an owner while a moderator is active; the moderator can", async () => {
    const { mira, noor, group, read } = await scene();
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    expect(await read(mira)).not.toContain(ASK);
    expect(await read(noor, `/groups/${group.slug}/manage`)).toContain(ASK);
  });
});
