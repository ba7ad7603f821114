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

  test("joins changes of neighbouring words", () => {
    expect(diffTexts("Sow after the ice saints.", "Sow in mid May.")).toEqual([
      { text: "Sow ", is: "same" },
      { text: "after the ice saints", is: "removed" },
      { text: "in mid May", is: "added" },
      { text: ".", is: "same" },
    ]);
  });

  test("compares words, not letters, in scripts other than Latin", () => {
    expect(diffTexts("كيف تقولون هذا", "كيف تكتبون هذا")).toEqual([
      { text: "كيف ", is: "same" },
      { text: "تقولون", is: "removed" },
      { text: "تكتبون", is: "added" },
      { text: " هذا", is: "same" },
    ]);
    expect(diffTexts("我喜欢苹果", "我喜欢香蕉").map(({ text }) => text)).toEqual(["我喜欢", "苹果", "香蕉"]);
  });

  test("compares whole paragraphs where too many words differ", () => {
    const paragraph = (sign: string) => `${Array.from({ length: 600 }, (_, i) => sign + i).join(" ")}\n`;
    const [before, after] = ["x", "y"].map((sign) => `Kept.\n${paragraph(sign)}Kept too.\n`);
    expect(diffTexts(before!, after!).map(({ is }) => is)).toEqual(["same", "removed", "added", "same"]);
  });

  test("compares paragraphs of texts that are too long for words", () => {
    const long = "A paragraph of a long document.\n".repeat(4_000);
    expect(diffTexts(long, `${long}One more line.`).at(-1)).toEqual({ text: "One more line.", is: "added" });
    expect(diffTexts(`${long}One line.`, `${long}One more line.`).slice(1)).toEqual([
      { text: "One line.", is: "removed" },
      { text: "One more line.", is: "added" },
    ]);
  });

  test("shows two very different texts one after the other", () => {
    const [before, after] = ["x", "y"].map((sign) =>
      Array.from({ length: 3_000 }, (_, i) => sign + i).join("\n"),
    );
    expect(diffTexts(before!, after!).map(({ is }) => is)).toEqual(["removed", "added"]);
  });
});
