import { describe, expect, test } from "vitest";
import type { Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { run, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);

/** Suggestions shown first to a person without a group: labels and links. */
async function listSteps(who: Viewer) {
  const { body } = await server.inject({ url: "/", headers: as(who) });
  const [, steps = ""] = /<section aria-label="First steps"[^>]*>(.*?)<\/section>/s.exec(body) ?? [];
  return [...steps.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, href, name]) => `${name}: ${href!.replace(/[0-9a-f-]{36}/, "…")}`,
  );
}

describe("person without a group", () => {
  test("gets a link to the introductions discussion, if they may read it", async () => {
    const people = await createTestUsers(database);
    const chosen = await createTestDiscussion(
      database,
      people.tomas,
      (await createTestGroup(database, people)).id,
      {
        title: "Who is who",
      },
    );
    await createTestDiscussion(
      database,
      people.tomas,
      (await createTestGroup(database, people, { name: "More" })).id,
      {
        title: "Hello, slugs",
      },
    );
    await database.inTransaction((tx) =>
      openSettings(database).set(tx, people.ada, { introductions: `/discussions/${chosen.id}` }),
    );
    const hello = async () =>
      /href="([^"]*)"[^>]*>Say hello</.exec(
        (await server.inject({ url: "/", headers: as(people.noor) })).body,
      )?.[1];
    expect(await hello()).toBe(`/discussions/${chosen.id}`);
    await run(
      database.db,
      sql`update groups set visibility = 'secret', join_policy = 'invite' where name <> 'More'`,
    );
    expect(await hello()).not.toBe(`/discussions/${chosen.id}`);
  });

  test("gets suggestions to create a group and invite people in an empty community", async () => {
    const { mira } = await createTestUsers(database);
    expect(await listSteps(mira)).toEqual([
      "Complete your profile: /users/settings/…",
      "Create the first group: /groups/new",
      "Invite people: /myFriends#invite-friends",
    ]);
    const groups = (await server.inject({ url: "/groups", headers: as(mira) })).body;
    expect(groups).toContain("Create the first group");
  });

  test("gets the set-up checklist instead as an admin of a new community", async () => {
    const { ada, mira } = await createTestUsers(database);
    await database.inTransaction((tx) => openSettings(database).set(tx, ada, { setupChecklist: true }));
    expect(await listSteps(ada)).toEqual([]);
    const { body } = await server.inject({ url: "/", headers: as(ada) });
    expect(body).toMatch(/href="\/admin\/settings"[^>]*>Name your community</);
    expect((await server.inject({ url: "/", headers: as(mira) })).body).not.toContain("Name your community");
  });

  test("gets suggestions to find a group and to introduce themselves where discussions exist", async () => {
    const people = await createTestUsers(database);
    await createTestDiscussion(database, people.tomas, (await createTestGroup(database, people)).id, {
      title: "Say hello here",
    });
    expect(await listSteps(people.noor)).toEqual([
      "Find a group: /groups?tab=discover",
      "Complete your profile: /users/settings/…",
      expect.stringContaining("Say hello: /discussions/"),
    ]);
    const groups = (await server.inject({ url: "/groups", headers: as(people.noor) })).body;
    expect(groups).not.toContain("Create the first group");
  });
});

test("every page contains whether the viewer may create groups", async () => {
  const { mira, noor, guest } = await createTestUsers(database);
  const offersIt = async (who: Viewer) =>
    /\bfounds\b/.test((await server.inject({ url: "/about", headers: as(who) })).body);
  expect([await offersIt(mira), await offersIt({ ...noor, trust: "new" }), await offersIt(guest)]).toEqual([
    true,
    false,
    false,
  ]);
});
