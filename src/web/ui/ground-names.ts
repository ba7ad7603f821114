type T = (text: string) => string;

/** The grounds that people, groups and the front door have, as they are called; in the order in which they are offered. */
export const groundNames = (t: T): Record<string, string> => ({
  meadow: t("Meadow"),
  dusk: t("Dusk"),
  clay: t("Clay"),
  river: t("River"),
  plum: t("Plum"),
  straw: t("Straw"),
  moss: t("Moss"),
  slate: t("Slate"),
});
