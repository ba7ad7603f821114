import type { StartItemView } from "#community/groups";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** Recommended reading for new members; nothing if the moderators chose no items. */
export function StartHereList({ items }: { items: StartItemView[] }) {
  const t = useTranslate();
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="start-here" className="mt-4 rounded-panel bg-accent-soft px-4 py-3">
      <h2 id="start-here" className="flex items-center gap-2 font-semibold">
        <i className="icon icon-compass text-accent" />
        {t("Start here")}
      </h2>
      <ol className="mt-1">
        {items.map(({ id, kind, targetId, title, why }) => (
          <li key={id} className="py-1">
            <Link to={kind === "discussion" ? urls.discussion(targetId) : urls.resource(targetId)} dir="auto">
              {title}
            </Link>
            {why && (
              <p dir="auto" className="text-small text-quiet">
                {why}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
