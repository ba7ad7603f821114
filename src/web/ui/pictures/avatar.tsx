import { urls } from "../../urls.ts";
import { Link } from "../navigation/link.tsx";
import { PersonName } from "../text/person-name.tsx";

type Person = { id: string; name: string; photoId: string | null };

/** Ten colours dark enough for white letters (contrast of at least 4.5:1). */
const BACKGROUND_COLORS = [
  "#0B6B5D",
  "#7A4B00",
  "#5B3F8C",
  "#8A2F4B",
  "#2D5D8A",
  "#4F6120",
  "#8B3A1E",
  "#3D4F5C",
  "#6B3F6B",
  "#1F6A43",
];
const backgroundColor = (id: string) =>
  BACKGROUND_COLORS[Number.parseInt(id.slice(-4), 16) % BACKGROUND_COLORS.length];

const initials = (name: string) => {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => Array.from(word ?? "")[0] ?? "")
    .join("")
    .toUpperCase();
};

/**
 * A person's photo, or their initials. It is decorative, since the name is beside it; with `alone`, the name
 * is its alternative text.
 */
export function Avatar({
  person,
  size = 40,
  alone = false,
}: {
  person: Person;
  size?: number;
  alone?: boolean;
}) {
  const shape = { width: size, height: size };
  if (person.photoId)
    return (
      <img
        src={urls.picture(person.photoId)}
        alt={alone ? person.name : ""}
        {...shape}
        loading="lazy"
        className="face"
      />
    );
  return (
    <span
      role={alone ? "img" : undefined}
      aria-label={alone ? person.name : undefined}
      aria-hidden={alone ? undefined : true}
      className="face"
      style={{ ...shape, background: backgroundColor(person.id), color: "#fff", fontSize: size * 0.38 }}
    >
      {initials(person.name)}
    </span>
  );
}

/** Photo and name, linked to the profile. A bot has none, and is marked. */
export const PersonLink = ({ person, size = 32 }: { person: Person & { isBot?: boolean }; size?: number }) =>
  person.isBot ? (
    <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-2">
      <Avatar person={person} size={size} />
      <PersonName person={person} className="font-semibold" />
    </span>
  ) : (
    <Link
      to={urls.person(person.id)}
      className="inline-flex max-w-full min-w-0 items-center gap-2 text-ink no-underline hover:underline"
    >
      <Avatar person={person} size={size} />
      <span dir="auto" className="truncate font-semibold">
        {person.name}
      </span>
    </Link>
  );
