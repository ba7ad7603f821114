import { textToHtml } from "#platform/markup";
import type { Group } from "#community/groups";
import type { Profile } from "#community/accounts";
import type { Resource } from "#community/resources";
import type { ReportedPicture } from "#community/common";

const joinLines = (...lines: string[]) =>
  lines
    .filter((line) => line.trim() !== "")
    .map(textToHtml)
    .join("");

/** A person's page as the reporter sees it, as one text; pictures by their alternative text. */
export function personSnapshot({ name, username, photoAlt, about }: Profile): string {
  const head = joinLines(name, `@${username}`, photoAlt);
  if (about === null) return head;
  const { pronouns, location, header, bioHtml, fields, answers } = about;
  const lines = [...fields, ...answers.map(({ label, said }) => ({ label, value: said.join(", ") }))];
  return (
    head +
    joinLines(pronouns, location, header.alt) +
    bioHtml +
    joinLines(...lines.map(({ label, value }) => `${label}: ${value}`))
  );
}

/** The pictures of a person's page as the reporter sees it. */
export const personPictures = ({ photoId, photoAlt, about }: Profile): ReportedPicture[] => [
  { id: photoId, alt: photoAlt },
  ...(about ? [about.header] : []),
];

type ResourceContent = Pick<Resource, "title" | "why" | "url" | "tags" | "bodyHtml">;

/** A resource's text and link, as one text. */
export const resourceSnapshot = ({ title, why, url, tags, bodyHtml }: ResourceContent): string =>
  joinLines(title, url ?? "", why, tags.join(", ")) + bodyHtml;

/** A group's public description, as one text. */
export const groupSnapshot = ({
  name,
  purpose,
  topic,
  aboutHtml,
  rules,
  questions,
  photoAlt,
  headerAlt,
}: Group): string =>
  joinLines(name, purpose, topic, photoAlt, headerAlt) + aboutHtml + joinLines(...rules, ...questions);

/** The public pictures of a group. */
export const groupPictures = ({ photoId, photoAlt, headerId, headerAlt }: Group): ReportedPicture[] => [
  { id: photoId, alt: photoAlt },
  { id: headerId, alt: headerAlt },
];
