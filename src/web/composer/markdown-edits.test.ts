import { describe, expect, test } from "vitest";
import {
  toggleMark,
  toggleMarkOrBlock,
  insertLink,
  togglePrefix,
  type TextEdit,
  type SelectedText,
} from "./markdown-edits.ts";

/** `[` and `]` mark the selection; `|` the caret. */
function read(marked: string): SelectedText {
  if (marked.includes("|"))
    return { text: marked.replace("|", ""), from: marked.indexOf("|"), to: marked.indexOf("|") };
  return {
    text: marked.replace("⟦", "").replace("⟧", ""),
    from: marked.indexOf("⟦"),
    to: marked.indexOf("⟧") - 1,
  };
}
function write({ text }: SelectedText, { from, to, put, select: [a, b] }: TextEdit): string {
  const next = text.slice(0, from) + put + text.slice(to);
  return a === b
    ? `${next.slice(0, a)}|${next.slice(a)}`
    : `${next.slice(0, a)}⟦${next.slice(a, b)}⟧${next.slice(b)}`;
}
const turns = (change: (marked: SelectedText) => TextEdit) => (text: string) =>
  write(read(text), change(read(text)));

describe("inline mark", () => {
  const bold = turns((it) => toggleMark(it, "**"));
  const italic = turns((it) => toggleMark(it, "*"));

  test.each([
    ["a ⟦word⟧ here", "a **⟦word⟧** here"],
    ["a ⟦word ⟧here", "a **⟦word⟧** here"],
    ["a **⟦word⟧** here", "a ⟦word⟧ here"],
    ["a ⟦**word**⟧ here", "a ⟦word⟧ here"],
    ["a | here", "a **|** here"],
    ["⟦one\n\n two ⟧", "⟦**one**\n\n **two**⟧ "],
  ])("%j becomes %j", (before, after) => expect(bold(before)).toBe(after));

  test("does not mistake part of a longer mark (* in **) for the mark itself", () => {
    expect(italic("a **⟦word⟧**")).toBe("a ***⟦word⟧***");
    expect(italic("a ***⟦word⟧***")).toBe("a **⟦word⟧**");
    expect(italic("a *⟦word⟧*")).toBe("a ⟦word⟧");
    expect(bold("a ***⟦word⟧***")).toBe("a *⟦word⟧*");
  });
});

describe("line prefix", () => {
  const quote = turns((it) => togglePrefix(it, "> "));
  test.each([
    ["one\ntw|o\nthree", "one\n> two|\nthree"],
    ["o⟦ne\ntwo⟧\nthree", "⟦> one\n> two⟧\nthree"],
    ["⟦> one\n\n> two⟧", "⟦one\n\ntwo⟧"],
    ["⟦> one\ntwo⟧", "⟦> one\n> two⟧"],
    ["|", "> |"],
  ])("%j becomes %j", (before, after) => expect(quote(before)).toBe(after));
});

describe("link", () => {
  const link = turns(insertLink);
  test.each([
    ["see ⟦the plan⟧.", "see [the plan](⟦https://⟧)."],
    ["see ⟦https://a.example/b⟧.", "see [|](https://a.example/b)."],
    ["see |.", "see [|](https://)."],
  ])("%j becomes %j", (before, after) => expect(link(before)).toBe(after));
});

describe("code", () => {
  const code = turns(toggleMarkOrBlock("`", "```", "```"));
  test.each([
    ["run ⟦npm start⟧ here", "run `⟦npm start⟧` here"],
    ["Like this:\n⟦one\ntwo⟧\nand on", "Like this:\n\n```\n⟦one\ntwo⟧\n```\n\nand on"],
    ["⟦one\ntwo\n⟧", "```\n⟦one\ntwo⟧\n```\n\n|".replace("|", "")],
  ])("%j becomes %j", (before, after) => expect(code(before)).toBe(after));
});

test("every change and its selection stay within the bounds of the text", () => {
  const texts = ["", "a", "\n", " a \n\n b*c ", "**", "*a*", "> a\n> b", "`x`"];
  for (const text of texts)
    for (let from = 0; from <= text.length; from++)
      for (let to = from; to <= text.length; to++)
        for (const change of [
          toggleMark({ text, from, to }, "**"),
          toggleMark({ text, from, to }, "*"),
          togglePrefix({ text, from, to }, "- "),
          insertLink({ text, from, to }),
          toggleMarkOrBlock("||", "::: spoiler", ":::")({ text, from, to }),
        ]) {
          const length = text.length - (change.to - change.from) + change.put.length;
          expect(change.from).toBeGreaterThanOrEqual(0);
          expect(change.to).toBeLessThanOrEqual(text.length);
          expect(change.select[0]).toBeGreaterThanOrEqual(0);
          expect(change.select[1]).toBeGreaterThanOrEqual(change.select[0]);
          expect(change.select[1]).toBeLessThanOrEqual(length);
        }
});
