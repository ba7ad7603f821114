import { plainHtml } from "#platform/markup";
import type { Group } from "#community/groups";
import type { Profile } from "#community/people";
import type { Resource } from "#community/resources";

const words = (...lines: string[]) =>
  lines
    .filter((line) => line.trim() !== "")
    .map(plainHtml)
    .join("");

/** A person's page as the reporter sees it, as one text; pictures by their alternative text. */
export function personShown({ name, username, photoAlt, about }: Profile): string {
  const head = words(name, `@${username}`, photoAlt);
  if (about === null) return head;
  const { pronouns, location, header, bioHtml, fields, answers } = about;
  const lines = [...fields, ...answers.map(({ label, said }) => ({ label, value: said.join(", ") }))];
  return head + words(pronouns, location, header.alt) + bioHtml + words(...lines.map(({ label, value }) => `${label}: ${value}`));
}

type WordsOfResource = Pick<Resource, "title" | "why" | "url" | "tags" | "bodyHtml">;

/** A resource's text and link, as one text. */
export const wordsOfResource = ({ title, why, url, tags, bodyHtml }: WordsOfResource): string =>
  words(title, url ?? "", why, tags.join(", ")) + bodyHtml;

/** A group's public description, as one text. */
export const groupShown = ({ name, purpose, topic, aboutHtml, rules, questions, photoAlt, headerAlt }: Group): string =>
  words(name, purpose, topic, photoAlt, headerAlt) + aboutHtml + words(...rules, ...questions);
