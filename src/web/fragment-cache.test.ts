import { createElement, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { FragmentCache } from "./fragment-cache.ts";

const article = (id: string, inside: string) => `<article id="${id}" class="post">${inside}</article>`;
/** Renders a page with one article. */
function make(pieces: FragmentCache, madeOf: string, inside: string) {
  const page = pieces.forPage();
  page.making("post-1", madeOf);
  page.keep(`<main>${article("post-10", "another")}${article("post-1", inside)}</main>`, renderToString);
}
const found = (pieces: FragmentCache, madeOf: string) => pieces.forPage().find(madeOf);

describe("fragment cache", () => {
  test("finds a fragment only under the exact key it was rendered from", () => {
    const pieces = new FragmentCache();
    make(pieces, "a post by Mira", "<p>Sow them <b>now</b>.</p>");
    expect(found(pieces, "a post by Mira")).toBe("<p>Sow them <b>now</b>.</p>");
    expect(found(pieces, "a post by Tomas")).toBeUndefined();
  });

  test("skips fragments that depend on their position or were not rendered", () => {
    const pieces = new FragmentCache();
    make(pieces, "with an id of its place", '<p id="_R_1a_">Here</p>');
    make(pieces, "with another inside", article("post-2", "inside"));
    const page = pieces.forPage();
    page.making("post-3", "never made");
    page.keep(`<main>${article("post-1", "")}</main>`, renderToString);
    for (const madeOf of ["with an id of its place", "with another inside", "never made"])
      expect(found(pieces, madeOf)).toBeUndefined();
  });

  test("renders context-free fragments beside the first page that shows them", () => {
    const pieces = new FragmentCache();
    const line = vi.fn<() => ReactElement>(() => createElement("a", { href: "/groups" }, "Groups"));
    const first = pieces.forPage();
    expect(first.part("a line", line)).toBeUndefined();
    first.keep("<main></main>", renderToString);
    expect(pieces.forPage().part("a line", line)).toBe('<a href="/groups">Groups</a>');
    expect(pieces.forPage().part("another line", line)).toBeUndefined();
    expect(line).toHaveBeenCalledOnce();
  });

  test("evicts the least recently used fragment when it is full", () => {
    const pieces = new FragmentCache(30);
    make(pieces, "a", "0123456789");
    make(pieces, "b", "0123456789");
    expect(found(pieces, "a")).toBeDefined();
    make(pieces, "c", "0123456789");
    expect(["a", "b", "c"].map((it) => found(pieces, it) !== undefined)).toEqual([true, false, true]);
    make(pieces, "d", "0".repeat(40));
    expect(["a", "c", "d"].map((it) => found(pieces, it) !== undefined)).toEqual([false, false, false]);
  });
});
