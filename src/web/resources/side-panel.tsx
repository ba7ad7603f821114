import type { ReactNode } from "react";
import type { ResourceUse } from "#community/resources";
import { PersonLink, Tag, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { LOCALES, useTranslate } from "../i18n/index.ts";
import { AddToCollection } from "./collections/add-to-collection.tsx";
import type { ResourcePageData } from "./resource-data.ts";
import { Link } from "../ui/navigation/link.tsx";

/** Details of a resource: tags, collections, uses, owner, licence. */
export function SidePanel({ page, children }: { page: ResourcePageData; children: ReactNode }) {
  const t = useTranslate();
  const { resource, uses, ownCollections, related } = page;
  const { tags, collections, owner, licence, group, language } = resource;
  return (
    <aside
      aria-label={t("About this resource")}
      className="min-w-0 wide:sticky wide:top-20 wide:max-h-[calc(100dvh-6rem)] wide:self-start
        wide:overflow-y-auto print:hidden"
    >
      {children}
      <dl className="grid grid-cols-1 gap-5">
        {tags.length > 0 && (
          <PanelSection name={t("Tags")}>
            <span className="flex flex-wrap gap-1.5">
              {tags.map((tag) => (
                <Tag key={tag} to={urls.resources({ tag })}>
                  {tag}
                </Tag>
              ))}
            </span>
          </PanelSection>
        )}
        {(collections.length > 0 || ownCollections.length > 0) && (
          <PanelSection name={t("Collections")}>
            <ul className="mb-1">
              {collections.map((collection) => (
                <li key={collection.id}>
                  <Link to={urls.resources({ collection: collection.id })} dir="auto">
                    {collection.title}
                  </Link>
                </li>
              ))}
            </ul>
            <AddToCollection page={page} />
          </PanelSection>
        )}
        {uses.length > 0 && (
          <PanelSection name={t("Used in")}>
            <ResourceUses uses={uses} />
          </PanelSection>
        )}
        {related.length > 0 && (
          <PanelSection name={t("Related")}>
            <ul className="grid gap-1.5">
              {related.map((relatedResource) => (
                <li key={relatedResource.id}>
                  <Link to={urls.resource(relatedResource.id)} dir="auto">
                    {relatedResource.title}
                  </Link>
                </li>
              ))}
            </ul>
          </PanelSection>
        )}
        {group && (
          <PanelSection name={t("Location")}>
            <Link to={urls.group(group.slug)} dir="auto">
              {group.name}
            </Link>
          </PanelSection>
        )}
        {owner && (
          <PanelSection name={t("Owner")}>
            <PersonLink person={owner} size={24} />
          </PanelSection>
        )}
        {resource.version > 1 && (
          <PanelSection name={t("Versions")}>
            <Link to={urls.resourceVersions(resource.id)}>
              {t("{count, plural, one {# version} other {# versions}}", { count: resource.version })}
            </Link>
          </PanelSection>
        )}
        {licence && (
          <PanelSection name={t("Licence")}>
            <span dir="auto">{licence}</span>
          </PanelSection>
        )}
        <PanelSection name={t("Language")}>
          {(LOCALES as Record<string, string>)[language] ?? language}
        </PanelSection>
      </dl>
    </aside>
  );
}

const PanelSection = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="mb-1 text-small font-semibold text-quiet">{name}</dt>
    <dd className="break-words">{children}</dd>
  </div>
);

const ResourceUses = ({ uses }: { uses: ResourceUse[] }) => (
  <ul className="grid gap-2">
    {uses.map((use) => (
      <li key={`${use.discussionId} ${use.number}`}>
        <Link to={urls.discussion(use.discussionId, { post: use.number })} dir="auto" className="font-serif">
          {use.title}
        </Link>
        <span className="block text-small text-quiet">
          <span dir="auto">{use.group.name}</span> · <Time at={use.at} />
        </span>
      </li>
    ))}
  </ul>
);
