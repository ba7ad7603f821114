import { Avatar } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { MemberHomeData } from "./home-data.ts";

/** Friends who are online and show it; nothing if there are none. */
export function OnlineFriends({ here }: { here: MemberHomeData["here"] }) {
  const t = useTranslate();
  if (here.length === 0) return null;
  return (
    <section aria-labelledby="here" className="mt-10">
      <h2 id="here" className="font-serif text-large font-semibold">
        {t("Friends online")}
      </h2>
      <ul className="mt-2 flex flex-wrap gap-2">
        {here.map((person) => (
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
