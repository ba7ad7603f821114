import sanitize from "sanitize-html";

const TEXT =
  "p br hr strong em s del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td a sup section details summary label input div img".split(
    " ",
  );
const OWN_ID = /^fn(ref)?(-[\w-]{1,40})?-\d{1,5}(-\d{1,5})?$/;
const ROLES: Record<string, string[]> = { a: ["doc-noteref", "doc-backlink"], section: ["doc-endnotes"] };

type Attributes = sanitize.Attributes;

/** Removes an attribute that is not as we render it, whatever the parser may let through one day. */
const only = (attributes: Attributes, name: string, fits: (value: string) => boolean) => {
  if (attributes[name] !== undefined && !fits(attributes[name])) delete attributes[name];
};

const checked: sanitize.Transformer = (tagName, attribs) => {
  only(attribs, "id", (id) => OWN_ID.test(id));
  only(attribs, "role", (role) => ROLES[tagName]?.includes(role) ?? false);
  only(attribs, "tabindex", (index) => index === "0");
  only(attribs, "data-language", (language) => /^[\w+#.-]{1,30}$/.test(language));
  only(attribs, "src", (src) => /^\/files\/[0-9a-f-]{36}$/.test(src));
  if (tagName === "input") return { tagName, attribs: { type: "checkbox", disabled: "", ...("checked" in attribs && { checked: "" }) } };
  // Internal links need no referrer policy.
  if (tagName === "a" && !/^(#|\/(?![/\\]))/.test(attribs["href"] ?? "")) attribs["rel"] = "noopener nofollow ugc";
  return { tagName, attribs };
};

const rules: sanitize.IOptions = {
  allowedTags: TEXT,
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
  transformTags: { "*": checked },
  exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs["src"],
  nestingLimit: 60,
};

/** Removes everything from HTML that is not on the allow-list. */
export const safe = (html: string): string => sanitize(html, rules);
