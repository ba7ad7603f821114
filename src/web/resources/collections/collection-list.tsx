import type { Collection } from "#community/resources";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { KindIcon } from "../library/resource-kinds.tsx";
import { Link } from "../../ui/navigation/link.tsx";

/** Collections: the first one is expanded, and the others show only their titles. */
export function CollectionList({ collections: [first, ...rest] }: { collections: Collection[] }) {
  const t = useTranslate();
  const count = numberFormat(useLocale());
  if (!first) return null;
  return (
    <section aria-labelledby="collections" className="panel mb-6 p-5">
      <h2 id="collections" className="font-serif text-large font-semibold">
        <Link to={urls.resources({ collection: first.id })} dir="auto" className="text-ink">
          {first.title}
        </Link>
      </h2>
      {first.about && (
        <p dir="auto" className="mt-0.5 max-w-measure text-quiet">
          {first.about}
        </p>
      )}
      <ul className="mt-3 grid gap-1">
        {first.first.map((row) => (
          <li key={row.id}>
            <Link
              to={urls.resource(row.id)}
              className="inline-flex min-h-8 max-w-full items-center gap-2.5 text-ink"
            >
              <span className="text-quiet">
                <KindIcon kind={row.kind} size="size-4" />
              </span>
              <span dir="auto" className="min-w-0 break-words">
                {row.title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <div className="mt-4 border-t border-line pt-3">
          <h3 className="mb-1.5 text-small font-semibold text-quiet">{t("More collections")}</h3>
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {rest.map((collection) => (
              <li key={collection.id}>
                <Link to={urls.resources({ collection: collection.id })} dir="auto">
                  {collection.title}
                </Link>{" "}
                <span className="text-small text-quiet figures">{count.format(collection.count)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
