/**
 * The part of the site that an address belongs to: its first word; where somebody looks after a thing is a part of its own, which most who
 * come to that thing never need. Addresses are found in capitals, too.
 */
export function partOf(path: string): string {
  const [, first = "", , third] = path.toLowerCase().split("/", 4);
  return third === "manage" ? `${first}-manage` : first || "home";
}
