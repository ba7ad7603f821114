import { expect, test } from "vitest";
import { getOwn } from "./index.ts";

const COLOURS: Record<string, string> = { red: "#f00" };

test("own property is found by name", () => expect(getOwn(COLOURS, "red")).toBe("#f00"));

test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", ""])(
  "own-property lookup finds nothing for %j",
  (name) => {
    expect(getOwn(COLOURS, name)).toBeUndefined();
  },
);
