import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import type { MarkType, Node } from "prosemirror-model";
import { describe, expect, test } from "vitest";
import { parseText } from "#platform/markup";
import { countCases, FUZZ_TIMEOUT, requestedCases } from "../../../../test/support/fuzz-cases.ts";
import { MarkdownDocument } from "./markdown-document.ts";
import { schema } from "./schema.ts";

const SRC = "/files/019a0000-0000-7000-8000-000000000001";
const known = {
  pictures: new Map([[SRC, { src: SRC, width: 800, height: 600 }]]),
  links: new Map([["mira", "/people/mira"]]),
};

/** Writes all blocks anew, as if each had been changed. */
const rewrite = (text: string) =>
  new MarkdownDocument().serialize(new MarkdownDocument().parse(text, { isFragment: true }));

const FORMATS = new Set(["em", "strong", "s"]);

/** Normalizes HTML: the order of nested formats does not matter, nor do blanks at line ends. */
function render(text: string): string {
  const html = parseText(text, "019a0000-0000-7000-8000-00000000000a").html(known);
  const open: string[] = [];
  let [out, last] = ["", ""];
  for (const [part] of html.replace(/ +(?=<br)/g, "").matchAll(/<[^>]+>|[^<]+/g)) {
    const [, slash, name = ""] = /^<(\/?)([a-z0-9]+)/.exec(part) ?? [];
    if (FORMATS.has(name)) {
      if (slash) open.splice(open.lastIndexOf(name), 1);
      else open.push(name);
      continue;
    }
    const isText = name === "" && part.trim() !== "" && !out.endsWith("<summary>");
    const formats = isText ? open.toSorted().join() : last;
    out += formats === last ? part : `{${formats}}${part}`;
    last = formats;
  }
  return out;
}

const CONSTRUCTS = [
  "Plain text, 2 * 3 * 4 = 24, a_b_c, 50 % & more <b> [no link] ~5",
  "*em* _em_ **strong** __strong__ ***both*** ~~struck~~ `code` ``a ` b``",
  "**bold *and* nested** and *em **with** strong*",
  "# One\n\n## Two ##\n\nThree\n===\n\nFour\n---\n\n###### Six",
  "line one\nline two  \nline three\\\nline four",
  "> quote\n> second line\n>\n> > nested\n\nafter",
  "- a\n- b\n  - c\n  - d\n- e",
  "- loose\n\n- list\n\n  with a paragraph",
  "3. three\n4. four\n   1. nested",
  "* stars\n\n- dashes\n\n1. dots\n\n1) brackets",
  "- [ ] to do\n- [x] *done*\n- [y] no task\n- \\[ ] no task",
  "```ts x=1\nconst a = `b`;\n\n  indented\n```\n\n    indented code\n\n~~~\ntildes\n~~~",
  "```\nnever closed",
  "a\n\n---\n\nb\n\n***",
  "He ||dies *twice*||! and a||b||c",
  "::: spoiler The end\nShe wins.\n\n- and\n:::\n\n:::\nno title\n:::",
  "::: warning\n```\n:::\n```",
  "| a | b |\n|:-:|---|\n| 1 | `|` |",
  "Sow[^1]. Inline^[note].\n\n[^1]: In *May*.\n\n    More.",
  '[link](https://example.org) [titled](https://example.org "title") [in](/groups/a) [www](www.example.org)',
  "[ref] and [text][ref]\n\n[ref]: https://example.org",
  "https://example.org/a_b_(c)?d=e&f and www.example.org and <https://example.org> and mira@example.org",
  "@mira, @tomas_ and _thanks @mira_ and \\@mira",
  ":seedling: 10:30:45 \\:seedling:",
  `![A "bed" of beans](${SRC})\n\n![](${SRC}) ![spy](https://example.org/spy.gif)`,
  "&amp; &copy; &#42; AT&T",
  "\\*not em\\* \\# no heading 1\\. \\> \\`no code\\` \\[no](link)",
  "1\\. no list\n\n\\- no list\n\n\\# no heading\n\n\\> no quotation\n\n\\::: no spoiler",
  "[bad](javascript:alert(1)) [bad](*) <script>alert(1)</script>",
  "漢字**強調**かな ||ひみつ||。مرحبا **بك** «||سر||»",
  "text\n- list at once\n# heading at once\n> quotation at once",
  "a\tb\n\n\tcode by tab\n\n- a\n\n\tb",
  "**`code`** and [`code`](https://example.org) and ~~**x**~~",
];

/** All texts of the demo community. */
const demo = globSync("db/demo/**/*.json").flatMap((file) => {
  const found: string[] = [];
  const collect = (it: unknown): void => {
    if (typeof it === "string") found.push(it);
    else if (typeof it === "object" && it !== null) Object.values(it).forEach(collect);
  };
  collect(JSON.parse(readFileSync(file, "utf8")));
  return found.filter((text) => /[^\w ]/.test(text));
});

describe("Markdown rewritten by the formatted editor", () => {
  test.each(CONSTRUCTS)("renders as before: %s", (text) => {
    expect(render(rewrite(text))).toBe(render(text));
  });

  test("renders as before for each text of the demo community", () => {
    const changed = new Set(demo.filter((text) => render(rewrite(text)) !== render(text)));
    expect([...changed]).toEqual([]);
    expect(demo.length).toBeGreaterThan(1_000);
  });

  const SIGNS = (
    "* ** _ ` ``` ~~ || ::: > # [ ] ( ) ![ [^1] |- < & \\ : @mira [a](https://example.org) [x] " +
    "https://example.org/a_b a b word , . ! é"
  ).split(" ");
  // An address without a scheme and an emoji depend on all that they touch.
  const LINES = [
    " www.example.org ",
    " :smile: ",
    "\n",
    "\n\n",
    " ",
    "\n- a",
    "\n> a",
    "\n1. a",
    "\n  - a",
    "\n  ",
    "\n- [ ] a",
    "\n\n# ",
  ];
  const text = fc
    .array(fc.constantFrom(...SIGNS, ...LINES, ...LINES), { maxLength: 14 })
    .map((signs) => signs.join("").trim())
    // Where a list goes on after an empty item depends on the blocks around it.
    .filter((written) => !/^[ >]*(?:[-+*]|\d[.)])\s*$/m.test(written));

  test(
    "renders as before for any combination of signs",
    () => {
      fc.assert(
        fc.property(text, (written) => {
          const rewritten = rewrite(written);
          expect(render(rewritten), rewritten).toBe(render(written));
        }),
        { numRuns: countCases(300), ...(requestedCases === 0 && { seed: 20_261_128 }) },
      );
    },
    FUZZ_TIMEOUT,
  );
});

describe("document of the formatted editor", () => {
  const TEXT = "Setext\n======\n\n\n* one\n* two\n_em_ lazy\n\n[a]: https://example.org\n| x |\n";
  const insertAt = (doc: Node, index: number, words: string) => {
    const blocks = doc.children.slice();
    blocks.splice(index, 0, schema.nodes.paragraph.create(null, schema.text(words)));
    return schema.nodes.doc.create(null, blocks);
  };

  test("returns an unchanged text as it was written", () => {
    for (const text of [TEXT, "", "\n\n a \n", "a\r\nb", ...CONSTRUCTS]) {
      const markdown = new MarkdownDocument();
      expect(markdown.serialize(markdown.parse(text))).toBe(text);
    }
  });

  test("leaves the blocks that were not changed as they were written", () => {
    const markdown = new MarkdownDocument();
    const doc = markdown.parse("One\n===\n\n\n* a\n* b\n\n__c__");
    expect(markdown.serialize(insertAt(doc, 2, "new *words*"))).toBe(
      "One\n===\n\n\n* a\n* b\n\nnew \\*words\\*\n\n__c__",
    );
  });

  test("escapes typed text only where it would become markup", () => {
    const write = (words: string) => {
      const markdown = new MarkdownDocument();
      return markdown.serialize(insertAt(markdown.parse(""), 0, words));
    };
    for (const plain of [
      "2 * 3 * 4",
      "snake_case_name",
      "https://example.org/a_(b)",
      "@mira :smile: #tag",
      "a < b",
    ])
      expect(write(plain)).toBe(plain);
    expect(write("# no heading")).toBe("\\# no heading");
    expect(write("1. no list")).toBe("1\\. no list");
    expect(write("||no spoiler||")).toBe("\\|\\|no spoiler\\|\\|");
    expect(write("[no](https://example.org)")).toBe("\\[no\\](https://example.org)");
  });

  test("does not merge two lists that follow each other", () => {
    const markdown = new MarkdownDocument();
    const [list] = markdown.parse("- a\n- b").children;
    const doc = schema.nodes.doc.create(null, [list!, list!.copy(list!.content)]);
    expect(parseText(markdown.serialize(doc)).html().match(/<ul>/g)).toHaveLength(2);
  });

  test("finds the end of a block in the text, and the block at a position", () => {
    const markdown = new MarkdownDocument();
    const doc = markdown.parse("One\n===\n\n\n* a\n* b\n\nend");
    expect([0, 1, 2].map((at) => markdown.findBlockEnd(doc, at))).toEqual([7, 17, 22]);
    expect([0, 7, 8, 17, 22, 99].map((at) => markdown.findBlockAt(doc, at))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe("format at the edge of a word", () => {
  const { strong, spoiler } = schema.marks;
  type Part = [words: string, mark?: MarkType];
  test.each<[string, Part[]]>([
    ["a letter follows punctuation", [["a"], ["“b”", strong], ["c"]]],
    ["spaces are at its ends", [["a"], [" b ", strong], ["c"]]],
    ["a spoiler is part of a word", [["a"], ["b", spoiler], ["c"]]],
  ])("remains where %s", (_, parts) => {
    const markdown = new MarkdownDocument();
    const content = parts.map(([words, mark]) => schema.text(words, mark ? [mark.create()] : []));
    const written = markdown.serialize(
      schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, content)),
    );
    expect(parseText(written).html()).toMatch(/<strong>“?b”?<\/strong>|<\/summary>b<\/details>/);
    expect(
      parseText(written)
        .html()
        .replace(/<[^>]+>/g, "")
        .replace("Spoiler", "")
        .replaceAll(" ", ""),
    ).toMatch(/^a“?b”?c\n$/);
  });
});
