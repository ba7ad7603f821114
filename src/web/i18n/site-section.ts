/**
 * The site section of an address: its first path segment; management pages are sections of their own, which
 * most readers never need. Case is ignored.
 */
export function siteSection(path: string): string {
  const [, first = "", , third] = path.toLowerCase().split("/", 4);
  return third === "manage" ? `${first}-manage` : first || "home";
}
