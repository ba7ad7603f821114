import { expect, test } from "vitest";
import { getOwnProperty } from "./index.ts";

const COLOURS: Record<string, string> = { red: "#f00" };

test("own property is found by name", () => expect(getOwnProperty(COLOURS, "red")).toBe("#f00"));

test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", ""])(
  "own-property lookup finds nothing for %j",
  (name) => {
    expect(getOwnProperty(COLOURS, name)).toBeUndefined();
  },
);
