import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { encodedBody, GuestPageCache, type CachedPage, compressHtml } from "./guest-page-cache.ts";
import { deferScripts } from "./guest-scripts.ts";
import { chooseEncoding } from "./response-headers.ts";

const page = (bytes = 10): CachedPage => {
  const body = Buffer.alloc(bytes);
  return { policy: "", etag: "", bodies: { identity: body } };
};

describe("guest page cache", () => {
  test("serves a page until one of its cache tags changes", () => {
    const pages = new GuestPageCache();
    const cachedPage = page();
    pages.keep("/a", cachedPage, ["discussion:1", "settings"], pages.begin(), 0);
    expect(pages.get("/a", 1)).toBe(cachedPage);
    pages.forget("discussion:2");
    expect(pages.get("/a", 1)).toBe(cachedPage);
    pages.forget("discussion:1");
    expect(pages.get("/a", 1)).toBeUndefined();
  });

  test("skips a page whose data changed while it was rendered", () => {
    const pages = new GuestPageCache();
    const begun = pages.begin();
    pages.forget("discussion:1");
    pages.keep("/a", page(), ["discussion:1"], begun, 0);
    expect(pages.get("/a", 0)).toBeUndefined();
  });

  test("drops all pages, also those being rendered, after an unknown change", () => {
    const pages = new GuestPageCache();
    pages.keep("/a", page(), ["settings"], pages.begin(), 0);
    const begun = pages.begin();
    pages.clear();
    pages.keep("/b", page(), ["settings"], begun, 0);
    expect(pages.size).toBe(0);
  });

  test("expires pages before their relative times become wrong", () => {
    const pages = new GuestPageCache();
    pages.keep("/a", page(), ["settings"], pages.begin(), 0);
    expect(pages.get("/a", 59_999)).toBeDefined();
    expect(pages.get("/a", 60_001)).toBeUndefined();
  });

  test("evicts the least recently used page when it is full", () => {
    const pages = new GuestPageCache();
    for (const key of ["/a", "/b", "/c"]) pages.keep(key, page(10_000_000), ["settings"], pages.begin(), 0);
    pages.get("/a", 0);
    pages.keep("/d", page(10_000_000), ["settings"], pages.begin(), 0);
    expect(["/a", "/b", "/c", "/d"].filter((key) => pages.get(key, 0))).toEqual(["/a", "/c", "/d"]);
  });

  test("counts a page once when several requests rendered it at the same time", () => {
    const pages = new GuestPageCache();
    for (const key of ["/a", "/b", "/b", "/b", "/b"])
      pages.keep(key, page(10_000_000), ["settings"], pages.begin(), 0);
    expect(["/a", "/b"].filter((key) => pages.get(key, 0))).toEqual(["/a", "/b"]);
    pages.clear();
    for (let n = 0; n < 10; n++) pages.keep("/c", page(10_000_000), ["settings"], pages.begin(), 0);
    expect(pages.get("/c", 0)).toBeDefined();
  });
});

describe("cached page", () => {
  test("derives other encodings from the cached one", async () => {
    const cachedPage: CachedPage = {
      policy: "",
      etag: "",
      bodies: { zstd: await compressHtml("zstd", "Plums, plums, plums") },
    };
    expect(gunzipSync(await encodedBody("gzip", cachedPage)).toString()).toBe("Plums, plums, plums");
    expect((await encodedBody("identity", cachedPage)).toString()).toBe("Plums, plums, plums");
    expect(Object.keys(cachedPage.bodies)).toEqual(["zstd", "gzip"]);
  });
});

describe("guest's page", () => {
  const html =
    '<link rel="modulepreload" href="/assets/app.js"/><script nonce="n">window.__reactRouterContext = ' +
    '{};</script><script nonce="n" type="module" async="">import "/x.js"; window.__reactRouterRouteModules ' +
    '= {};</script><script nonce="n">restore()</script><script type="module" src="/guest.js"></script>';

  test("keeps the app's scripts as text and loads none of them", () => {
    const quiet = deferScripts(html).html;
    expect(quiet).not.toContain("modulepreload");
    expect(quiet.match(/type="text\/kith"/g)).toHaveLength(2);
    expect(quiet).toContain('<script type="text/kith" async>import');
    expect(quiet).toContain("<script>restore()</script>");
    expect(quiet).toContain('<script type="module" src="/guest.js"></script>');
  });

  test("allows only those scripts to run once they are needed", () => {
    const { hashes } = deferScripts(html);
    expect(hashes).toHaveLength(3);
    for (const hash of hashes) expect(hash).toMatch(/^'sha256-[\w+/]{43}='$/);
  });
});

describe("response encoding", () => {
  test.each([
    [undefined, "identity"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip;q=1.0, br;q=0.5", "br"],
    ["br;q=0, gzip", "gzip"],
    ["zstd;q=0.0", "identity"],
    ["*", "identity"],
  ])("response encoding for %s is %s", (accepted, expected) => {
    expect(chooseEncoding(accepted)).toBe(expected);
  });
});
