import { Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTitleAttributes, useTranslate } from "../i18n/index.ts";
import type { MemberHomeData } from "./home-data.ts";

/** A few discussions related to the one read last, shown after the end of the list. */
export function RelatedDiscussions({ because }: { because: MemberHomeData["because"] }) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  if (!because) return null;
  return (
    <section aria-labelledby="because-read" className="mt-10">
      <h2 id="because-read" className="font-serif text-large font-semibold">
        {t("Because you read “{title}”", { title: `\u2068${because.title}\u2069` })}
      </h2>
      <ul className="mt-1">
        {because.near.map(({ id, title, language, groupName, lastPostAt }) => (
          <li key={id} className="flex items-baseline gap-3 border-b border-line py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <Link
                to={urls.discussion(id)}
                {...titleAttributes(language, title)}
                className="block break-words font-serif text-read text-ink"
              >
                {title}
              </Link>
              <p dir="auto" className="text-small text-quiet">
                {groupName}
              </p>
            </div>
            <Time at={lastPostAt} className="text-small text-quiet" />
          </li>
        ))}
      </ul>
    </section>
  );
}
