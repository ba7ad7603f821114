import sanitize from "sanitize-html";

/**
 * Removes pictures and links from stored HTML: a link's text stays, and a picture is replaced by its
 * alternative text.
 */
export const stripMedia = (html: string): string =>
  sanitize(html, {
    allowedTags: sanitize.defaults.allowedTags
      .filter((tag) => tag !== "a" && tag !== "img")
      .concat(["details", "summary", "input", "section"]),
    allowedAttributes: {
      div: ["class", "tabindex"],
      pre: ["tabindex", "data-language"],
      ol: ["start"],
      li: ["class"],
      input: ["type", "disabled", "checked"],
    },
    transformTags: { img: (_tag, { alt }) => ({ tagName: "em", attribs: {}, text: alt ?? "" }) },
  });
