import { languageName, useLocale, useTranslate } from "../i18n/index.ts";

/**
 * Returns the label of a value from an address; null for a value without a label. Inherited properties such
 * as `constructor` are no labels.
 */
const findLabel = (labels: Record<string, string>, value: string) =>
  Object.hasOwn(labels, value) ? labels[value]! : null;

/** Labels of kinds, operators and values in the search. */
export function useSearchLabels() {
  const t = useTranslate();
  const locale = useLocale();
  const kinds: Record<string, string> = {
    "": t("Everything"),
    people: t("People"),
    groups: t("Groups"),
    discussions: t("Discussions"),
    posts: t("Posts"),
    resources: t("Resources"),
    messages: t("Messages"),
    events: t("Events", undefined, "calendar"),
  };
  const sorts: Record<string, string> = {
    best: t("Most relevant"),
    new: t("Newest first"),
    old: t("Oldest first"),
    liked: t("Most liked"),
  };
  const facets: Record<string, string> = {
    groupName: t("Group"),
    tags: t("Tag"),
    has: t("Contains"),
    language: t("Language"),
  };
  const inside: Record<string, string> = {
    link: t("Link"),
    image: t("Picture"),
    file: t("File"),
    poll: t("Poll"),
    code: t("Code"),
  };
  return {
    kind: (value: string) => findLabel(kinds, value) ?? value,
    sort: (value: string) => findLabel(sorts, value) ?? value,
    facet: (value: string) => findLabel(facets, value) ?? value,
    value: (facet: string, value: string) =>
      facet === "has"
        ? (findLabel(inside, value) ?? value)
        : facet === "language"
          ? languageName(locale, value)
          : value,
  };
}
