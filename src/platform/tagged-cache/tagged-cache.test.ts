import { describe, expect, test } from "vitest";
import { TaggedCache } from "./index.ts";

const SECOND = 1_000;
const createCache = () =>
  new TaggedCache<{ bytes: number }>({
    maxBytes: 48_000_000,
    maxAge: 60 * SECOND,
    sizeOf: ({ bytes }) => bytes * 1.3,
  });
const page = (bytes = 10) => ({ bytes });

describe("tagged cache", () => {
  test("serves a value until one of its cache tags changes", () => {
    const cache = createCache();
    const value = page();
    cache.keep("/a", value, ["discussion:1", "settings"], cache.begin(), 0);
    expect(cache.get("/a", 1)).toBe(value);
    cache.forget("discussion:2");
    expect(cache.get("/a", 1)).toBe(value);
    cache.forget("discussion:1");
    expect(cache.get("/a", 1)).toBeUndefined();
  });

  test("does not store a value whose data changed while it was computed", () => {
    const cache = createCache();
    const startMark = cache.begin();
    cache.forget("discussion:1");
    cache.keep("/a", page(), ["discussion:1"], startMark, 0);
    expect(cache.get("/a", 0)).toBeUndefined();
  });

  test("drops all values, including those being computed, after an unknown change", () => {
    const cache = createCache();
    cache.keep("/a", page(), ["settings"], cache.begin(), 0);
    const startMark = cache.begin();
    cache.clear();
    cache.keep("/b", page(), ["settings"], startMark, 0);
    expect(cache.size).toBe(0);
  });

  test("stops returning a value after its maximum age", () => {
    const cache = createCache();
    cache.keep("/a", page(), ["settings"], cache.begin(), 0);
    expect(cache.get("/a", 59_999)).toBeDefined();
    expect(cache.get("/a", 60_001)).toBeUndefined();
  });

  test("evicts the least recently used value when it is full", () => {
    const cache = createCache();
    for (const key of ["/a", "/b", "/c"]) cache.keep(key, page(10_000_000), ["settings"], cache.begin(), 0);
    cache.get("/a", 0);
    cache.keep("/d", page(10_000_000), ["settings"], cache.begin(), 0);
    expect(["/a", "/b", "/c", "/d"].filter((key) => cache.get(key, 0))).toEqual(["/a", "/c", "/d"]);
  });

  test("counts the size of a value once when several requests computed it concurrently", () => {
    const cache = createCache();
    for (const key of ["/a", "/b", "/b", "/b", "/b"])
      cache.keep(key, page(10_000_000), ["settings"], cache.begin(), 0);
    expect(["/a", "/b"].filter((key) => cache.get(key, 0))).toEqual(["/a", "/b"]);
    cache.clear();
    for (let n = 0; n < 10; n++) cache.keep("/c", page(10_000_000), ["settings"], cache.begin(), 0);
    expect(cache.get("/c", 0)).toBeDefined();
  });
});
