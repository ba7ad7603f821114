/**
 * Returns the site section of a path: its first segment, in lower case. Management pages are separate
 * sections, since most readers never open them.
 */
export function siteSection(path: string): string {
  const [, first = "", , third] = path.toLowerCase().split("/", 4);
  if (third === "manage") return `${first}-manage`;
  // A group's calendar has the same texts as the other calendars.
  return third === "events" ? third : first || "home";
}
