import { expect, test } from "vitest";
import { openSettings, type SiteSettings } from "#community/settings";
import { run, sql } from "#platform/database";
import { cast } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/** The front door, as the settings want it. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server } = await servedPages(database);

async function frontDoor(settings: Partial<SiteSettings>) {
  const people = await cast(database);
  await run(database.db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${people.noor.id}`);
  await within((tx) => openSettings(database).set(tx, people.ada, settings));
  return (url: string) => server.inject({ url }).then(({ body }) => body.replaceAll("<!-- -->", ""));
}

test("says how many people are here where that is allowed", async () => {
  expect(await (await frontDoor({ showMemberCount: true }))("/")).toContain("4 people are here.");
});

test.each([{ showMemberCount: false }, { showMemberCount: true, audience: "private" }] as const)(
  "says nothing of it where it is not, and in a private place: %o",
  async (settings) => {
    expect(await (await frontDoor(settings))("/")).not.toContain("people are here");
  },
);

test("stands on the ground that was chosen, as the forms for coming in do", async () => {
  const page = await frontDoor({ ground: "river" });
  for (const url of ["/", "/login", "/register"]) {
    const body = await page(url);
    expect(body, url).toContain('src="/grounds/river.svg"');
    expect(body, url).not.toContain("/grounds/meadow.svg");
  }
});

test("stands on the meadow where nothing was chosen", async () => {
  const page = await frontDoor({ name: "Lindenhof" });
  for (const url of ["/", "/login"]) expect(await page(url), url).toContain('src="/grounds/meadow.svg"');
});
