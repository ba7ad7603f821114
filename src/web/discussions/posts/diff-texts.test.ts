import { describe, expect, test } from "vitest";
import { diffTexts } from "./diff-texts.ts";

describe("text diff", () => {
  test("compares word by word", () => {
    expect(diffTexts("Sow in May.", "Sow in mid June.")).toEqual([
      { text: "Sow in ", is: "same" },
      { text: "May", is: "removed" },
      { text: "mid June", is: "added" },
      { text: ".", is: "same" },
    ]);
  });

  test("has no changes for a first revision or an identical text", () => {
    expect(diffTexts(null, "Hello.")).toEqual([{ text: "Hello.", is: "same" }]);
    expect(diffTexts("Hello.", "Hello.")).toEqual([{ text: "Hello.", is: "same" }]);
  });

  test("omits the middle of long unchanged parts", () => {
    const [long, added] = diffTexts("a ".repeat(2_000), `${"a ".repeat(2_000)}b`);
    expect(long!.text.length).toBeLessThan(400);
    expect(added).toEqual({ text: "b", is: "added" });
  });

  test("shows two very different texts one after the other", () => {
    const [before, after] = ["x", "y"].map((sign) =>
      Array.from({ length: 3_000 }, (_, i) => sign + i).join(" "),
    );
    expect(diffTexts(before!, after!).map(({ is }) => is)).toEqual(["removed", "added"]);
  });
});
