import { describe, expect, test } from "vitest";
import { changesOf } from "./text-changes.ts";

describe("what changed between two texts", () => {
  test("is said word by word", () => {
    expect(changesOf("Sow in May.", "Sow in mid June.")).toEqual([
      { text: "Sow in ", is: "same" },
      { text: "May", is: "removed" },
      { text: "mid June", is: "added" },
      { text: ".", is: "same" },
    ]);
  });

  test("is nothing for the first text, and for one that came back", () => {
    expect(changesOf(null, "Hello.")).toEqual([{ text: "Hello.", is: "same" }]);
    expect(changesOf("Hello.", "Hello.")).toEqual([{ text: "Hello.", is: "same" }]);
  });

  test("leaves out the middle of what stayed the same", () => {
    const [long, added] = changesOf("a ".repeat(2_000), `${"a ".repeat(2_000)}b`);
    expect(long!.text.length).toBeLessThan(400);
    expect(added).toEqual({ text: "b", is: "added" });
  });

  test("of two texts that have little in common is said one after the other", () => {
    const [before, after] = ["x", "y"].map((sign) => Array.from({ length: 3_000 }, (_, i) => sign + i).join(" "));
    expect(changesOf(before!, after!).map(({ is }) => is)).toEqual(["removed", "added"]);
  });
});
