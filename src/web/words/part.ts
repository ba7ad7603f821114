/** The part of the site that an address belongs to: its first word. Addresses are found in capitals, too. */
export const partOf = (path: string): string => path.split("/", 2)[1]?.toLowerCase() || "home";
