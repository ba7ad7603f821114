import type { DirectoryEntry } from "#community/accounts";
import { Avatar, Tag, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";

/** A person in the directory, with the details that the viewer may read. */
export function DirectoryCard({ person }: { person: DirectoryEntry }) {
  const t = useTranslate();
  const details = [person.pronouns, person.location].filter(Boolean);
  return (
    <li className="panel relative flex gap-3 p-4" data-item>
      <Avatar person={person} size={56} />
      <div className="min-w-0 flex-1">
        <p className="truncate leading-6">
          <Link
            to={urls.person(person.id)}
            dir="auto"
            className="font-semibold text-ink after:absolute after:inset-0"
          >
            {person.name}
          </Link>
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-small text-quiet">
          <bdi className="truncate">@{person.username}</bdi>
          {person.role !== "member" && (
            <Tag>{person.role === "admin" ? t("Admin") : t("Site moderator")}</Tag>
          )}
        </p>
        {details.length > 0 && (
          <p className="truncate text-small">
            {details.map((detail, at) => (
              <span key={detail}>
                {at > 0 && " · "}
                <bdi>{detail}</bdi>
              </span>
            ))}
          </p>
        )}
        {person.excerpt && (
          <p dir="auto" className="mt-1 line-clamp-2 text-small break-words">
            {person.excerpt}
          </p>
        )}
        <p className="mt-1 text-small text-quiet">
          <Rich text="Joined <0></0>" parts={{ 0: <Time at={person.joinedAt} /> }} />
        </p>
      </div>
    </li>
  );
}
