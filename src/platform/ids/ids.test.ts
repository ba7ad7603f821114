import { describe, expect, test } from "vitest";
import { createIdSource, hashSecret, deriveId, isId, createSecret, isSameSecret, uuidv7 } from "./index.ts";

describe("ids", () => {
  test("sort by age, even a thousand of the same millisecond", () => {
    const ids = Array.from({ length: 1_000 }, () => uuidv7(1_800_000_000_000));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(1_000);
    expect(uuidv7(1_800_000_000_001) > ids.at(-1)!).toBe(true);
  });
  test("sort by age beyond the counter's capacity within a millisecond", () => {
    const ids = Array.from({ length: 10_000 }, () => uuidv7(1_800_000_000_002));
    expect(ids.toSorted()).toEqual(ids);
  });
  test("sort by age even if other sources create ids in between", () => {
    const newId = createIdSource();
    const ids = Array.from({ length: 100 }, () => (uuidv7(), newId(1_800_000_000_000)));
    expect(ids.toSorted()).toEqual(ids);
  });
  test("have the form of version 7", () => {
    expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
  test("derived from the same names are equal, and otherwise distinct", () => {
    const id = deriveId("mira", Buffer.from("beans"));
    expect([deriveId("mira", "beans"), isId(id), id[14]]).toEqual([id, true, "8"]);
    for (const other of [["mira"], ["mirab", "eans"], ["mira", "beans", ""], ["5:beans"]])
      expect(deriveId(...other)).not.toBe(id);
  });
  test.each([
    "",
    "1",
    "../x",
    "0192d5f0-0000-7000-8000-00000000000",
    "0192d5f0-0000-7000-8000-0000000000000",
  ])("invalid text %j is not accepted as an id", (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe("secrets", () => {
  test("have a unique URL-safe text, and a hash for comparison", () => {
    const one = createSecret();
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(createSecret()).not.toBe(one);
    expect(hashSecret(one)).toHaveLength(32);
    expect(isSameSecret(one, one)).toBe(true);
    expect(isSameSecret(one, `${one}x`)).toBe(false);
  });
});
