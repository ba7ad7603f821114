import type { ReactNode } from "react";
import { useTranslate } from "../../i18n/index.ts";

/** Links to the sections of the page. Plain links: emails link to each section. */
export function SettingsNavigation({ sections }: { sections: { id: string; title: string }[] }) {
  const t = useTranslate();
  return (
    <nav aria-label={t("Sections of this page")} className="mb-6">
      <ul className="flex flex-wrap gap-2">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="tag py-1">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export const SettingsSection = ({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) => (
  <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-16 border-t border-line py-6">
    <h2 id={`${id}-title`} className="mb-4 font-serif text-large font-semibold">
      {title}
    </h2>
    <div className="grid gap-8">{children}</div>
  </section>
);
