import type { PersonCard } from "#community/common";
import { Avatar, Tag } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

type Props = {
  groups: { id: string; slug: string; name: string }[];
  friends: { people: PersonCard[]; count: number };
};

/** Groups and friends that the viewer and the person share. */
export function CommonGroupsAndFriends({ groups, friends }: Props) {
  const t = useTranslate();
  if (groups.length === 0 && friends.count === 0) return null;
  return (
    <section aria-labelledby="in-common" className="border-t border-line pt-4">
      <h2 id="in-common" className="mb-2 text-base font-semibold">
        {t("In common")}
      </h2>
      {groups.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label={t("Groups in common")}>
          {groups.map((group) => (
            <li key={group.id}>
              <Tag to={urls.group(group.slug)}>
                <span dir="auto">{group.name}</span>
              </Tag>
            </li>
          ))}
        </ul>
      )}
      {friends.count > 0 && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="text-quiet">
            {t("{count, plural, one {# friend in common} other {# friends in common}}", {
              count: friends.count,
            })}
          </p>
          <ul className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {friends.people.map((person) => (
              <li key={person.id}>
                <Link
                  to={urls.person(person.id)}
                  dir="auto"
                  className="inline-flex items-center gap-1.5 text-ink"
                >
                  <Avatar person={person} size={24} />
                  {person.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
