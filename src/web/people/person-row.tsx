import type { ReactNode } from "react";
import type { PersonCard } from "#community/common";
import { Avatar } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Link } from "../ui/navigation/link.tsx";

/** A person as a list row: name, details, actions. */
export const PersonRow = ({
  person,
  line,
  note,
  actions,
}: {
  person: PersonCard;
  line?: ReactNode;
  note?: string;
  actions?: ReactNode;
}) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3 last:border-b-0">
    <Avatar person={person} size={48} />
    <div className="min-w-0 flex-1 basis-48">
      {/* Truncated in one element, a name against the page's direction would lose its start. */}
      <p className="flex items-baseline gap-x-1 leading-6">
        <Link to={urls.person(person.id)} dir="auto" className="truncate font-semibold text-ink">
          {person.name}
        </Link>{" "}
        <bdi className="shrink-[99] truncate text-quiet">@{person.username}</bdi>
      </p>
      {line && <p className="text-small text-quiet">{line}</p>}
      {note && (
        <p dir="auto" className="mt-1 max-w-[56ch] break-words">
          {note}
        </p>
      )}
    </div>
    {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
  </li>
);
