import { expect, test } from "vitest";
import { openSettings, type SiteSettings } from "#community/settings";
import { run, sql } from "#platform/database";
import { createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Tests of the guests' home page with different site settings. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server } = await serveBuiltPages(database);

async function frontDoor(settings: Partial<SiteSettings>) {
  const people = await createTestUsers(database);
  await run(
    database.db,
    sql`update people set state = 'deactivated', deactivated_at = now() where id = ${people.noor.id}`,
  );
  await within((tx) => openSettings(database).set(tx, people.ada, settings));
  return (url: string) => server.inject({ url }).then(({ body }) => body.replaceAll("<!-- -->", ""));
}

test("guest home shows the number of members if the setting allows it", async () => {
  expect(await (await frontDoor({ showMemberCount: true }))("/")).toContain("4 members");
});

test.each([{ showMemberCount: false }, { showMemberCount: true, audience: "private" }] as const)(
  "guest home hides the number of members by setting and in a private community: %o",
  async (settings) => {
    expect(await (await frontDoor(settings))("/")).not.toMatch(/\d members?\b/);
  },
);

test("guest home and sign-in forms use the chosen background", async () => {
  const page = await frontDoor({ ground: "river" });
  for (const url of ["/", "/login", "/register"]) {
    const body = await page(url);
    expect(body, url).toContain('src="/grounds/river.svg"');
    expect(body, url).not.toContain("/grounds/meadow.svg");
  }
});

test("guest home uses the meadow background by default", async () => {
  const page = await frontDoor({ name: "Lindenhof" });
  for (const url of ["/", "/login"]) expect(await page(url), url).toContain('src="/grounds/meadow.svg"');
});
