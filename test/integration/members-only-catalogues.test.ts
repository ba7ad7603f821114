import { expect, test } from "vitest";
import { addLink, NewLink } from "#community/resources";
import { openSettings } from "#community/settings";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Audience labels follow the community's privacy: where guests read nothing, no text says that they do. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);

async function place(audience: "public" | "private") {
  const people = await createTestUsers(database);
  await within((tx) => openSettings(database).set(tx, people.ada, { audience, name: "Lindenhof" }));
  const group = await createTestGroup(database, people, { visibility: "public" });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const link = NewLink.parse({ url: "https://example.org/", title: "Everything" });
  const resource = await within((tx) => addLink(tx, people.mira, link));
  const page = async (url: string) =>
    (await server.inject({ url, headers: as(people.mira) })).body.replaceAll("<!-- -->", "");
  return { people, group, discussion, resource, page };
}

const pagesOf = ({ group, discussion, resource }: Awaited<ReturnType<typeof place>>) => [
  `/groups/${group.slug}`,
  `/discussions/${discussion.id}`,
  `/resources/${resource.id}`,
  "/resources",
  "/resources/new",
];

test('texts about visibility say "everyone" where guests may read', async () => {
  const at = await place("public");
  for (const url of pagesOf(at)) expect(await at.page(url), url).toContain("Visible to everyone, guests too");
  expect(await at.page("/groups/new")).toContain("Everyone can find and read it, guests too.");
  expect(await at.page(`/groups/${at.group.slug}?tab=about`)).toContain("Anyone can find and read it");
});

test('texts about visibility say "members" on every page of a private community', async () => {
  const at = await place("private");
  for (const url of pagesOf(at)) {
    const body = await at.page(url);
    expect(body, url).toContain("Visible to every member of Lindenhof");
    expect(body, url).not.toContain("guests too");
  }
  const founding = await at.page("/groups/new");
  expect(founding).toContain("All members of the community can find and read it.");
  expect(founding).not.toContain("guests too");
  expect(await at.page(`/groups/${at.group.slug}?tab=about`)).toContain(
    "Members of the community can find and read it",
  );
  expect(await at.page(`/users/settings/${at.people.mira.id}`)).not.toContain("guests too");
});
