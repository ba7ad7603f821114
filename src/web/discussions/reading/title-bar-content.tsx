import type { MouseEvent, ReactNode } from "react";
import type { Discussion } from "#community/discussions";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTitleAttributes } from "../../i18n/index.ts";

/** Group and title, which leads to the top of the page, and the actions. */
export default function TitleBarContent({
  discussion: { group, title, language },
  children,
}: {
  discussion: Discussion;
  children: ReactNode;
}) {
  const titleAttributes = useTitleAttributes();
  return (
    <div>
      <Link to={urls.group(group.slug)} dir="auto" className="truncate text-quiet">
        {group.name}
      </Link>
      <i className="icon icon-chevron-right size-4 text-quiet rtl:rotate-180" />
      <a
        href="#main"
        onClick={showTop}
        {...titleAttributes(language, title)}
        className="truncate font-serif text-ink"
      >
        {title}
      </a>
      {children}
    </div>
  );
}

/** Scrolls to the top without a new entry in the browser's history. */
function showTop(event: MouseEvent) {
  event.preventDefault();
  scrollTo({ top: 0 });
  document.getElementById("main")?.focus({ preventScroll: true });
}
