import type { FeaturedResource as Row } from "#community/resources";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { KindIcon } from "./resource-kinds.tsx";

/** Resources featured by admins and owners, side by side. Scrolls by pointer or keys, never automatically. */
export function FeaturedResources({ rows }: { rows: Row[] }) {
  const t = useTranslate();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="featured" className="mb-6">
      <h2 id="featured" className="font-serif text-large font-semibold">
        {t("Featured")}
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard */}
      <div tabIndex={0} role="group" aria-labelledby="featured" className="carousel mt-2">
        <ul>
          {rows.map((row) => (
            <li key={row.id} className="panel">
              <p className="flex items-center gap-2 text-small text-quiet">
                <KindIcon kind={row.kind} size="size-4" />
                {row.siteName}
              </p>
              <h3 className="mt-1 font-serif leading-6 font-semibold">
                <Link
                  to={urls.resource(row.id)}
                  dir="auto"
                  lang={row.language}
                  className="break-words text-ink"
                >
                  {row.title}
                </Link>
              </h3>
              {row.why && (
                <p
                  dir="auto"
                  lang={row.language}
                  className="mt-1 line-clamp-3 text-small break-words text-quiet"
                >
                  {row.why}
                </p>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
