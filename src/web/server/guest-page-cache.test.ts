import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { encodedBody, type CachedPage, compressHtml } from "./guest-page-cache.ts";
import { deferScripts } from "./guest-scripts.ts";
import { chooseEncoding } from "./response-headers.ts";

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

  test("contains the app's scripts as inert text and loads none of them", () => {
    const quiet = deferScripts(html).html;
    expect(quiet).not.toContain("modulepreload");
    expect(quiet.match(/type="text\/kith"/g)).toHaveLength(2);
    expect(quiet).toContain('<script type="text/kith" async>import');
    expect(quiet).toContain("<script>restore()</script>");
    expect(quiet).toContain('<script type="module" src="/guest.js"></script>');
  });

  test("lists a hash in the policy for each script that may run later", () => {
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
  ])("for %s is %s", (accepted, expected) => {
    expect(chooseEncoding(accepted)).toBe(expected);
  });
});
