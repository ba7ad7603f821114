import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { createAccent, openSettings, removeLogo, setLogo, type SiteSettings } from "#community/settings";
import { many, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { serveSiteIcons, serveWebManifest } from "#web/server";
import { createTranslator, loadWebBuild } from "../../src/app/web-build.ts";
import { createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Branding of a community: on its pages, and as an app on a device. */
const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);
const folder = await mkdtemp(join(tmpdir(), "kith-look-"));
afterAll(() => rm(folder, { recursive: true }));
const app = {
  database,
  db: database.db,
  storage: createFolderStorage(folder),
  settings: openSettings(database),
};
serveWebManifest(server, app, createTranslator(await loadWebBuild()));
serveSiteIcons(server, app);

async function set(settings: Partial<SiteSettings>) {
  const people = await createTestUsers(database);
  await database.inTransaction((tx) => openSettings(database).set(tx, people.ada, settings));
  return people;
}
const htmlTag = (body: string) => /<html [^>]*>/.exec(body)![0];

test("pages use the community's colour in light and dark themes, for guests and members", async () => {
  const { mira } = await set({ accent: "#1D4ED8" });
  for (const headers of [{}, as(mira)]) {
    const { body } = await server.inject({ url: "/groups", headers });
    expect(htmlTag(body)).toMatch(
      new RegExp(
        String.raw`style="--accent:var\(--light,#1d4ed8\) var\(--dark,#[0-9a-f]{6}\);` +
          String.raw`--on-accent:var\(--light,#ffffff\) var\(--dark,#[0-9a-f]{6}\);--accent-soft:`,
      ),
    );
  }
});

test("pages of a community without a colour use the default, without extra markup", async () => {
  const { ada } = await set({ accent: "#1d4ed8" });
  await database.inTransaction((tx) => openSettings(database).set(tx, ada, { accent: "#0b6b5d" }));
  expect(htmlTag((await server.inject({ url: "/groups" })).body)).not.toContain("style");
});

test.each([
  ["#ffe4e1", "This colour is not readable, even when darkened. Choose a stronger one."],
  ["red", "Enter a colour such as #0b6b5d."],
  ["#12345", "Enter a colour such as #0b6b5d."],
])("%s is rejected as a colour", async (accent, sentence) => {
  await expect(set({ accent })).rejects.toMatchObject({ reason: "invalid", fields: { accent: sentence } });
});

test("the web app manifest has the community's name and colour, and may be cached", async () => {
  await set({ name: "Lindenhof", sentence: "A garden for all.", accent: "#c2410c" });
  const { headers, body } = await server.inject({ url: "/manifest.webmanifest" });
  expect(headers["content-type"]).toContain("application/manifest+json");
  expect(headers["cache-control"]).toBe("public, max-age=3600");
  expect(JSON.parse(body)).toMatchObject({
    name: "Lindenhof",
    description: "A garden for all.",
    start_url: "/",
    display: "standalone",
    theme_color: createAccent("#c2410c")!.light.accent,
  });
  const again = await server.inject({
    url: "/manifest.webmanifest",
    headers: { "if-none-match": headers.etag },
  });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("the web app manifest has shortcuts in the browser's language and screenshots that exist", async () => {
  const { headers, body } = await server.inject({
    url: "/manifest.webmanifest",
    headers: { "accept-language": "de-AT,de;q=0.9" },
  });
  expect(headers["vary"]).toContain("accept-language");
  const { lang, shortcuts, screenshots } = JSON.parse(body) as {
    lang: string;
    shortcuts: { name: string; url: string }[];
    screenshots: { src: string; sizes: string }[];
  };
  expect(lang).toBe("de");
  expect(shortcuts).toContainEqual({ name: "Neue Diskussion", url: "/new" });
  for (const { src, sizes } of screenshots) {
    const { width, height } = await sharp(`public${src}`).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
});

test("a page names an opaque icon of 180 pixels for Apple's home screens", async () => {
  const { body } = await server.inject({ url: "/groups" });
  expect(body).toContain(`<link rel="apple-touch-icon" href="/apple-touch-icon.png"/>`);
  const { width, height, hasAlpha } = await sharp("public/apple-touch-icon.png").metadata();
  expect([width, height, hasAlpha]).toEqual([180, 180, false]);
});

describe("community logo", () => {
  const wide = () =>
    sharp({
      create: { width: 900, height: 300, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 1 } },
    })
      .png()
      .toBuffer();
  const named = async () => (await app.settings.getNow()).logo;

  test("set by an admin appears on every page and as icons, also in a private community", async () => {
    const { ada, mira } = await set({ audience: "private" });
    await setLogo(app, ada, await wide());
    const logo = await named();
    for (const headers of [{}, as(mira)]) {
      const { body } = await server.inject({ url: "/", headers });
      expect(htmlTag(body)).toContain(`--logo:url(/logo/${logo}/picture)`);
      expect(body).toContain(`<link rel="icon" href="/logo/${logo}/192.png"/>`);
      expect(body).toContain(`<link rel="apple-touch-icon" href="/logo/${logo}/touch.png"/>`);
    }
    const { icons } = JSON.parse((await server.inject({ url: "/manifest.webmanifest" })).body) as {
      icons: { src: string; sizes: string }[];
    };
    expect(icons).toHaveLength(3);
    for (const { src, sizes } of icons) {
      const { rawPayload, headers } = await server.inject({ url: src });
      const { width, height, format } = await sharp(rawPayload).metadata();
      expect([format, `${width}x${height}`, headers["cache-control"]]).toEqual([
        "png",
        sizes,
        "public, max-age=31536000, immutable",
      ]);
    }
    const { width, height } = await sharp(
      (await server.inject({ url: `/logo/${logo}/picture` })).rawPayload,
    ).metadata();
    expect([width, height]).toEqual([512, 171]);
    for (const other of [`/logo/${logo}/513.png`, `/logo/${ada.id}/picture`, "/logo/x/picture"])
      expect((await server.inject({ url: other })).statusCode).toBe(404);
  });

  test("can be replaced and removed, and the old file is deleted", async () => {
    const { ada } = await set({});
    await setLogo(app, ada, await wide());
    const first = await named();
    await setLogo(app, ada, await wide());
    expect((await server.inject({ url: `/logo/${first}/picture` })).statusCode).toBe(404);
    await database.inTransaction((tx) => removeLogo(tx, app.settings, ada));
    expect(await named()).toBe("");
    expect(await many(database.db, sql`select from uploads where attached_kind is not null`)).toEqual([]);
    expect(htmlTag((await server.inject({ url: "/groups" })).body)).not.toContain("--logo");
  });

  test("can be set by admins only, as a raster picture", async () => {
    const people = await set({});
    for (const who of [people.mira, people.ines, people.guest]) {
      await expect(setLogo(app, who, await wide())).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(database.inTransaction((tx) => removeLogo(tx, app.settings, who))).rejects.toMatchObject({
        reason: "not-allowed",
      });
    }
    const drawing = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    );
    for (const bytes of [drawing, Buffer.from("no picture")])
      await expect(setLogo(app, people.ada, bytes)).rejects.toMatchObject({ reason: "wrong-type" });
    await expect(setLogo(app, people.ada, Buffer.alloc(8_000_001))).rejects.toMatchObject({
      reason: "too-large",
    });
    expect(await named()).toBe("");
  });

  test("can be set and removed by a plain form without scripts", async () => {
    const { ada } = await set({});
    const form = new FormData();
    form.set("key", "logo");
    form.set("intent", "save logo");
    form.set("picture", new File([new Uint8Array(await wide())], "logo.png", { type: "image/png" }));
    const request = new Request("http://kith.test/admin/settings", { method: "POST", body: form });
    const send = (payload: Buffer | string, type: string) =>
      server.inject({
        method: "POST",
        url: "/admin/settings",
        headers: { ...as(ada), host: "kith.test", origin: "http://kith.test", "content-type": type },
        payload,
      });
    const answer = await send(Buffer.from(await request.arrayBuffer()), request.headers.get("content-type")!);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, "/admin/settings?saved=logo#logo"]);
    const [stored] = await many(
      database.db,
      sql<{ id: string }>`select id from uploads where attached_kind = 'site'`,
    );
    expect(await named()).toBe(stored!.id);
    await send("key=logo&intent=reset", "application/x-www-form-urlencoded");
    expect(await named()).toBe("");
  });
});
