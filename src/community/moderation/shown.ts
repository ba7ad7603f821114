import { plainHtml } from "#platform/markup";
import type { Group } from "#community/groups";
import type { Profile } from "#community/people";
import type { Resource } from "#community/resources";

const words = (...lines: string[]) =>
  lines
    .filter((line) => line.trim() !== "")
    .map(plainHtml)
    .join("");

/** What somebody's page says of them to whoever reports it, as one text; pictures by what they are said to show. */
export function personShown({ name, username, photoAlt, about }: Profile): string {
  const head = words(name, `@${username}`, photoAlt);
  if (about === null) return head;
  const { pronouns, location, header, bioHtml, fields, answers } = about;
  const lines = [...fields, ...answers.map(({ label, said }) => ({ label, value: said.join(", ") }))];
  return head + words(pronouns, location, header.alt) + bioHtml + words(...lines.map(({ label, value }) => `${label}: ${value}`));
}

type WordsOfResource = Pick<Resource, "title" | "why" | "url" | "tags" | "bodyHtml">;

/** What a resource says, as one text, and where it leads. */
export const wordsOfResource = ({ title, why, url, tags, bodyHtml }: WordsOfResource): string =>
  words(title, url ?? "", why, tags.join(", ")) + bodyHtml;

/** What a group says of itself to whoever comes to its door, as one text. */
export const groupShown = ({ name, purpose, topic, aboutHtml, rules, questions, photoAlt, headerAlt }: Group): string =>
  words(name, purpose, topic, photoAlt, headerAlt) + aboutHtml + words(...rules, ...questions);
