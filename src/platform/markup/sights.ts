import sanitize from "sanitize-html";

/** HTML of ours without pictures and links: what it says stays, in place of a picture the words for it. */
export const withoutSights = (html: string): string =>
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
