type Translator = (text: string) => string;

/**
 * Names of the backgrounds for profiles, groups and the welcome page, in the order in which they are offered.
 */
export const backgroundNames = (t: Translator): Record<string, string> => ({
  meadow: t("Meadow"),
  dusk: t("Dusk"),
  clay: t("Clay"),
  river: t("River"),
  plum: t("Plum"),
  straw: t("Straw"),
  moss: t("Moss"),
  slate: t("Slate"),
});
