import { expect, test } from "vitest";
import { accentOf, openSettings, type SiteSettings } from "#community/settings";
import { serveManifest } from "#web/server";
import { cast } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/** What a community looks like by its own wish: on its pages, and among the apps of a device. */
const database = await testDatabase();
const { server, as } = await servedPages(database);
serveManifest(server, { settings: openSettings(database) });

async function set(settings: Partial<SiteSettings>) {
  const people = await cast(database);
  await database.inTransaction((tx) => openSettings(database).set(tx, people.ada, settings));
  return people;
}
const htmlTag = (body: string) => /<html [^>]*>/.exec(body)![0];

test("a page has the colour of the community, by day and by night, for guests and members", async () => {
  const { mira } = await set({ accent: "#1D4ED8" });
  for (const headers of [{}, as(mira)]) {
    const { body } = await server.inject({ url: "/groups", headers });
    expect(htmlTag(body)).toMatch(
      /style="--accent:light-dark\(#1d4ed8,#[0-9a-f]{6}\);--on-accent:light-dark\(#ffffff,#[0-9a-f]{6}\);--accent-soft:/,
    );
  }
});

test("a page of a community that wants none has the house's own, and says nothing of it", async () => {
  const { ada } = await set({ accent: "#1d4ed8" });
  await database.inTransaction((tx) => openSettings(database).set(tx, ada, { accent: "#0b6b5d" }));
  expect(htmlTag((await server.inject({ url: "/groups" })).body)).not.toContain("style");
});

test.each([
  ["#ffe4e1", "That colour could not be read on paper, not even darkened. Choose a stronger one."],
  ["red", "Give a colour, such as #0b6b5d."],
  ["#12345", "Give a colour, such as #0b6b5d."],
])("%s is no colour for it", async (accent, sentence) => {
  await expect(set({ accent })).rejects.toMatchObject({ reason: "invalid", fields: { accent: sentence } });
});

test("among the apps of a device it stands by its name and colour, which browsers may keep for a while", async () => {
  await set({ name: "Lindenhof", sentence: "A garden for all.", accent: "#c2410c" });
  const { headers, body } = await server.inject({ url: "/manifest.webmanifest" });
  expect(headers["content-type"]).toContain("application/manifest+json");
  expect(headers["cache-control"]).toBe("public, max-age=3600");
  expect(JSON.parse(body)).toMatchObject({
    name: "Lindenhof",
    description: "A garden for all.",
    start_url: "/",
    display: "standalone",
    theme_color: accentOf("#c2410c")!.light.accent,
  });
  const again = await server.inject({ url: "/manifest.webmanifest", headers: { "if-none-match": headers.etag } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});
