import type { WatchedWordTrial } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";
import { Notice, PersonLink } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";

/** How many recent posts a word would match, and the latest of them. */
export function WatchedWordTrialResult({
  tried: { posts, matching, matches, isTooWide },
}: {
  tried: WatchedWordTrial;
}) {
  const t = useTranslate();
  return (
    <section aria-labelledby="tried" role="status" className="mt-4 max-w-column">
      <h3 id="tried" className="font-semibold">
        {t(
          "{matching, plural, =0 {No match} one {# match} other {# matches}} in the last " +
            "{posts, plural, one {post} other {# posts}} that you can read",
          { matching, posts },
        )}
      </h3>
      {isTooWide && (
        <div className="mt-2">
          <Notice tone="bad">
            {t("This matches more than half of the recent posts. It is probably too general.")}
          </Notice>
        </div>
      )}
      <ul className="mt-2 border-t border-line empty:hidden">
        {matches.map(({ id, author, before, typed, after }) => (
          <li key={id} className="border-b border-line py-2">
            <p className="flex flex-wrap items-center gap-x-2 text-small">
              <PersonLink person={author} size={20} />
              <Link to={urls.post(id)}>{t("Open", undefined, "verb")}</Link>
            </p>
            <p dir="auto" className="break-words">
              {before}
              <mark>{typed}</mark>
              {after}
            </p>
          </li>
        ))}
      </ul>
      {matching > matches.length && (
        <p className="mt-2 text-small text-quiet">
          {t("The latest {count} are shown.", { count: matches.length })}
        </p>
      )}
    </section>
  );
}
