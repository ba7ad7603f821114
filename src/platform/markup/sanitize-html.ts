import sanitize from "sanitize-html";

const ALLOWED_TAGS = (
  "p br hr strong em s del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td a sup " +
  "section details summary label input div img"
).split(" ");
const FOOTNOTE_ID = /^fn(ref)?(-[\w-]{1,40})?-\d{1,5}(-\d{1,5})?$/;
const ALLOWED_ROLES: Record<string, string[]> = {
  a: ["doc-noteref", "doc-backlink"],
  section: ["doc-endnotes"],
};

type Attributes = sanitize.Attributes;

/** Removes an attribute that differs from our own rendering, in case the parser lets one through some day. */
const dropUnless = (attributes: Attributes, name: string, fits: (value: string) => boolean) => {
  if (attributes[name] !== undefined && !fits(attributes[name])) delete attributes[name];
};

const checkAttributes: sanitize.Transformer = (tagName, attribs) => {
  dropUnless(attribs, "id", (id) => FOOTNOTE_ID.test(id));
  dropUnless(attribs, "role", (role) => ALLOWED_ROLES[tagName]?.includes(role) ?? false);
  dropUnless(attribs, "tabindex", (index) => index === "0");
  dropUnless(attribs, "data-language", (language) => /^[\w+#.-]{1,30}$/.test(language));
  dropUnless(attribs, "src", (src) => /^\/files\/[0-9a-f-]{36}$/.test(src));
  if (tagName === "input")
    return {
      tagName,
      attribs: { type: "checkbox", disabled: "", ...("checked" in attribs && { checked: "" }) },
    };
  // Internal links need no referrer policy.
  if (tagName === "a" && !/^(#|\/(?![/\\]))/.test(attribs["href"] ?? ""))
    attribs["rel"] = "noopener nofollow ugc";
  return { tagName, attribs };
};

const sanitizeOptions: sanitize.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: {
    a: ["href", "rel", "title", "id", "role"],
    ol: ["start"],
    th: ["style"],
    td: ["style"],
    pre: ["tabindex", "data-language"],
    li: ["id"],
    section: ["role"],
    div: ["tabindex"],
    img: ["src", "alt", "width", "height", "loading", "decoding"],
    input: ["type", "disabled", "checked"],
  },
  allowedClasses: { div: ["scrolls", "line"], section: ["footnotes"], li: ["task"] },
  allowedStyles: { "*": { "text-align": [/^(left|right|center)$/] } },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesAppliedToAttributes: ["href"],
  allowProtocolRelative: false,
  transformTags: { "*": checkAttributes },
  exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs["src"],
  nestingLimit: 60,
};

/** Removes all elements and attributes from HTML that are not on the allow-list. */
export const sanitizeHtml = (html: string): string => sanitize(html, sanitizeOptions);
