import { type ComponentType, use } from "react";
import { FragmentCacheContext } from "../fragment-cache.ts";
import { useLocale } from "../i18n/index.ts";

type RowProps = Record<string, unknown>;

/**
 * A list row that depends only on its props and the locale: `cachedRow("name", ({ row, here }) => …)`. The
 * same rows are on many pages, so the server caches their HTML, and the browser hydrates it as if it had been
 * rendered. Inside, only translations and links are available; no router, viewer or time.
 */
export function cachedRow<F extends RowProps>(name: string, Inside: ComponentType<F>) {
  return function LinePart(facts: F) {
    const locale = useLocale();
    const pieces = use(FragmentCacheContext);
    const inside = pieces?.part(`${name} ${locale} ${JSON.stringify(facts)}`, () => <Inside {...facts} />);
    if (inside !== undefined) return <li dangerouslySetInnerHTML={{ __html: inside }} />;
    return (
      <li>
        <Inside {...facts} />
      </li>
    );
  };
}
