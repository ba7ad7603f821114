import { Avatar } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { MemberHomeData } from "./home-data.ts";

/** Friends who are online and share their presence; nothing if there are none. */
export function OnlineFriends({ friends }: { friends: MemberHomeData["onlineFriends"] }) {
  const t = useTranslate();
  if (friends.length === 0) return null;
  return (
    <section aria-label={t("Friends online")} className="mb-6">
      <h2 className="mb-1 px-2.5 text-small font-semibold text-quiet">{t("Friends online")}</h2>
      <ul>
        {friends.map((person) => (
          <li key={person.id}>
            <Link to={urls.person(person.username)} className="rail-link">
              <Avatar person={person} size={24} />
              <span dir="auto" className="rail-name">
                {person.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
