import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeAddress } from "./normalized-address.ts";

/** Addresses as people paste them. */
const host = fc.domain().map((it) => it.toLowerCase());
const segment = fc.string({
  unit: fc.constantFrom("a", "Z", "0", "-", ".", "_", "~", " ", "%", "ä", "ß", "/"),
  maxLength: 8,
});
const parameter = fc.tuple(fc.constantFrom("q", "page", "a b", "ü"), fc.string({ maxLength: 5 }));
const address = fc
  .record({ host, path: fc.array(segment, { maxLength: 4 }), asked: fc.array(parameter, { maxLength: 4 }) })
  .map(({ host: name, path, asked }) => {
    const url = new URL(`https://${name}/${path.map(encodeURIComponent).join("/")}`);
    for (const [key, value] of asked) url.searchParams.append(key, value.toWellFormed());
    return url.href;
  });

describe("normalized address", () => {
  test("does not change when normalized again, and can be parsed", () => {
    fc.assert(
      fc.property(address, (it) => {
        const once = normalizeAddress(it)!;
        expect(URL.canParse(once)).toBe(true);
        expect(normalizeAddress(once)).toBe(once);
      }),
    );
  });

  test("stays the same for all notations of a page", () => {
    fc.assert(
      fc.property(address, (it) => {
        const url = new URL(it);
        const bare = normalizeAddress(it);
        const changed = (change: (copy: URL) => void) => {
          const copy = new URL(it);
          change(copy);
          return normalizeAddress(copy.href);
        };
        expect(normalizeAddress(it.replace("https://", "http://"))).toBe(bare);
        expect(normalizeAddress(it.replace(url.hostname, `www.${url.hostname.toUpperCase()}`))).toBe(bare);
        expect(normalizeAddress(it.replace(url.host, `${url.host}:443`))).toBe(bare);
        expect(normalizeAddress(` ${it}#further-down `)).toBe(bare);
        expect(changed((copy) => copy.searchParams.append("utm_source", "letter"))).toBe(bare);
        expect(changed((copy) => copy.searchParams.append("fbclid", "x1"))).toBe(bare);
        expect(changed((copy) => void (copy.pathname += "/"))).toBe(bare);
        expect(changed((copy) => copy.searchParams.sort())).toBe(bare);
      }),
    );
  });

  test.each([
    ["https://Example.org:443/a/?b=2&a=1&utm_medium=x#top", "https://example.org/a?a=1&b=2"],
    ["http://www.example.org./", "https://example.org"],
    ["https://example.org/%7emira/caf%c3%a9", "https://example.org/~mira/caf%C3%A9"],
    ["https://münchen.example/Straße", "https://xn--mnchen-3ya.example/Stra%C3%9Fe"],
    ["https://example.org:8443/?q=one+two", "https://example.org:8443?q=one+two"],
    ["https://app.example.org/#/beds/7", "https://app.example.org#/beds/7"],
    ["https://example.org/?tag=b&tag=a", "https://example.org?tag=b&tag=a"],
    ["https://www.org/", "https://www.org"],
  ])("normalizes %s to %s", (given, kept) => expect(normalizeAddress(given)).toBe(kept));

  test.each([
    "https://example.org/page?id=1",
    "https://example.org/Page?id=2",
    "https://blog.example.org/page?id=2",
    "https://example.org/page",
  ])("keeps different pages apart: %s", (other) =>
    expect(normalizeAddress(other)).not.toBe(normalizeAddress("https://example.org/page?id=2")),
  );

  test.each([
    "",
    "seeds",
    "mailto:mira@example.org",
    "javascript:alert(1)",
    "https://",
    "file:///etc/passwd",
    "http://./",
  ])("returns null for %j", (it) => expect(normalizeAddress(it)).toBeNull());
});
