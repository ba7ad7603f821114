import sanitize from "sanitize-html";

/** An address that HTML shows as a picture or links to. */
export type MediaReference = { address: string; alt: string };

/** Addresses of the pictures and links of stored HTML, in order; links have no alternative text. */
export function listMediaReferences(html: string): MediaReference[] {
  const found: MediaReference[] = [];
  const collect = (address: string | undefined, alt = "") => {
    if (address) found.push({ address, alt });
  };
  sanitize(html, {
    allowedTags: ["a", "img"],
    transformTags: {
      a: (tagName, attribs) => (collect(attribs["href"]), { tagName, attribs }),
      img: (tagName, attribs) => (collect(attribs["src"], attribs["alt"]), { tagName, attribs }),
    },
  });
  return found;
}
