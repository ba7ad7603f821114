/**
 * The site section of an address: its first path segment; management pages are sections of their own, which
 * most readers never need. Case is ignored.
 */
export function siteSection(path: string): string {
  const [, first = "", , third] = path.toLowerCase().split("/", 4);
  if (third === "manage") return `${first}-manage`;
  // A group's calendar has the texts of all calendars.
  return third === "events" ? third : first || "home";
}
