import type { PersonCard } from "#community/common";
import { Avatar } from "../../ui/index.ts";

/** A person's photo, or an empty circle if the viewer may not see who the author is. */
export const AuthorAvatar = ({ person, size = 40 }: { person: PersonCard | null; size?: number }) =>
  person ? (
    <Avatar person={person} size={size} />
  ) : (
    <span aria-hidden className="face border border-line" style={{ width: size, height: size }} />
  );
