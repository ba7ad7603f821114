import { type DOMOutputSpec, Fragment, Schema } from "prosemirror-model";
import { tableToMarkdown } from "./pasted-tables.ts";

/** Addresses that Kith's Markdown accepts in links. */
export const LINK_ADDRESS = /^(https?:\/\/|mailto:|#|\/(?![/\\])|www\.[^\s/])/i;
const FILE_ADDRESS = /^\/files\/[0-9a-f-]{36}$/;

const readLink = (dom: HTMLElement) => {
  const href = dom.getAttribute("href") ?? "";
  return LINK_ADDRESS.test(href) && !/[\s<>\\]/.test(href) && { href, title: "" };
};
const readPicture = (dom: HTMLElement) => {
  const src = dom.getAttribute("src") ?? "";
  return FILE_ADDRESS.test(src) && { src, alt: (dom.getAttribute("alt") ?? "").replace(/[[\]\n\\]/g, " ") };
};

/** Nodes and marks of the formatted editor. Everything else is text in a `verbatim` block, or marked `raw`. */
export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: {
      content: "inline*",
      group: "block",
      parseDOM: [{ tag: "p" }],
      toDOM: () => ["p", { dir: "auto" }, 0],
    },
    heading: {
      content: "inline*",
      group: "block",
      attrs: { level: { default: 2 } },
      defining: true,
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      // The page has the headings of the first two levels.
      toDOM: ({ attrs }) => [`h${Math.min(6, Number(attrs["level"]) + 2)}`, { dir: "auto" }, 0],
    },
    blockquote: {
      content: "block+",
      group: "block",
      defining: true,
      parseDOM: [{ tag: "blockquote" }],
      toDOM: () => ["blockquote", 0],
    },
    bullet_list: {
      content: "list_item+",
      group: "block",
      attrs: { tight: { default: true } },
      parseDOM: [{ tag: "ul" }],
      toDOM: () => ["ul", 0],
    },
    ordered_list: {
      content: "list_item+",
      group: "block",
      attrs: { start: { default: 1 }, tight: { default: true } },
      parseDOM: [
        {
          tag: "ol",
          getAttrs: (dom) => ({ start: Math.max(0, Number(dom.getAttribute("start") ?? 1) || 0) }),
        },
      ],
      toDOM: ({ attrs }) => ["ol", { start: String(attrs["start"]) }, 0],
    },
    list_item: {
      content: "paragraph block*",
      attrs: { checked: { default: null } },
      defining: true,
      parseDOM: [{ tag: "li" }],
      toDOM: ({ attrs }): DOMOutputSpec =>
        attrs["checked"] === null
          ? ["li", 0]
          : [
              "li",
              { class: "task" },
              [
                "input",
                { type: "checkbox", contenteditable: "false", ...(attrs["checked"] && { checked: "" }) },
              ],
              ["div", 0],
            ],
    },
    code_block: {
      content: "text*",
      marks: "",
      group: "block",
      code: true,
      defining: true,
      attrs: { info: { default: "" } },
      parseDOM: [{ tag: "pre", preserveWhitespace: "full" }],
      toDOM: ({ attrs }) => [
        "pre",
        { spellcheck: "false", ...(attrs["info"] && { "data-language": String(attrs["info"]) }) },
        ["code", 0],
      ],
    },
    horizontal_rule: { group: "block", parseDOM: [{ tag: "hr" }], toDOM: () => ["hr"] },
    spoiler_block: {
      content: "block+",
      group: "block",
      defining: true,
      attrs: { info: { default: " spoiler" } },
      toDOM: ({ attrs }) => [
        "div",
        {
          class: "spoiler-block",
          "data-title":
            String(attrs["info"])
              .trim()
              .replace(/^spoiler(?=\s|$)/i, "")
              .trim() || "Spoiler",
        },
        0,
      ],
    },
    verbatim: {
      content: "text*",
      marks: "",
      group: "block",
      code: true,
      defining: true,
      parseDOM: [
        {
          tag: "table",
          getContent: (dom, own) =>
            Fragment.from(own.text(dom instanceof HTMLElement ? tableToMarkdown(dom) : " ")),
        },
      ],
      toDOM: () => ["pre", { class: "verbatim", spellcheck: "false", dir: "auto" }, 0],
    },
    text: { group: "inline" },
    image: {
      inline: true,
      group: "inline",
      attrs: { src: {}, alt: { default: "" }, title: { default: "" } },
      draggable: true,
      parseDOM: [{ tag: "img[src]", getAttrs: readPicture }],
      toDOM: ({ attrs }) =>
        FILE_ADDRESS.test(String(attrs["src"]))
          ? ["img", { src: String(attrs["src"]), alt: String(attrs["alt"]) }]
          : ["span", { class: "picture-link" }, String(attrs["alt"]) || String(attrs["src"])],
    },
    hard_break: {
      inline: true,
      group: "inline",
      selectable: false,
      parseDOM: [{ tag: "br" }],
      toDOM: () => ["br"],
    },
  },
  marks: {
    link: {
      attrs: { href: {}, title: { default: "" } },
      inclusive: false,
      parseDOM: [{ tag: "a[href]", getAttrs: readLink }],
      toDOM: ({ attrs }) => ["a", { href: String(attrs["href"]) }, 0],
    },
    spoiler: { toDOM: () => ["span", { class: "spoiler-text" }, 0] },
    em: {
      parseDOM: [{ tag: "i" }, { tag: "em" }],
      toDOM: () => ["em", 0],
    },
    strong: {
      parseDOM: [
        { tag: "strong" },
        { tag: "b", getAttrs: (dom) => dom.style.fontWeight !== "normal" && null },
      ],
      toDOM: () => ["strong", 0],
    },
    strike: {
      parseDOM: [{ tag: "s" }, { tag: "del" }],
      toDOM: () => ["s", 0],
    },
    code: {
      inclusive: false,
      parseDOM: [{ tag: "code" }],
      toDOM: () => ["code", { spellcheck: "false" }, 0],
    },
    /** Markdown that is written as it is. */
    raw: {
      inclusive: false,
      toDOM: () => ["span", { class: "raw-text" }, 0],
    },
  },
});
