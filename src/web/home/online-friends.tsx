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
    <section aria-labelledby="online-friends" className="mt-10">
      <h2 id="online-friends" className="font-serif text-large font-semibold">
        {t("Friends online")}
      </h2>
      <ul className="mt-2 flex flex-wrap gap-2">
        {friends.map((person) => (
          <li key={person.id} className="min-w-0">
            <Link to={urls.person(person.username)} className="button">
              <Avatar person={person} size={24} />
              <span dir="auto" className="truncate">
                {person.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
