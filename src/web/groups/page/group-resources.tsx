import { ResourceRow } from "../../resources/library/resource-row.tsx";
import { CollectionList } from "../../resources/collections/collection-list.tsx";
import { ButtonLink, EmptyState, NextPageLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";

/** The group's resources and collections. */
export function GroupResources({
  data: { group, can },
  content: { rows, next, collections },
}: {
  data: GroupData;
  content: GroupContent<"resources">;
}) {
  const t = useTranslate();
  const add = can.addResource && (
    <ButtonLink
      kind={rows.length === 0 ? "primary" : "plain"}
      to={urls.newResource({ group: group.slug })}
      data-compose
    >
      <i className="icon icon-plus size-4" />
      {t("Add resource")}
    </ButtonLink>
  );
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <h2 className="sr-only">{t("Resources")}</h2>
        <span className="ms-auto flex flex-wrap gap-2">
          {can.createCollection && (
            <ButtonLink to={urls.newCollection({ group: group.slug })}>{t("New collection")}</ButtonLink>
          )}
          {rows.length > 0 && add}
        </span>
      </div>
      {collections.length > 0 && (
        <div className="mt-3">
          <CollectionList collections={collections} />
        </div>
      )}
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <ResourceRow key={row.id} row={row} />
          ))}
        </ul>
      )}
      {rows.length === 0 && (
        <EmptyState title={t("This collection is empty.")} action={add}>
          {t("Links, files and documents worth finding again.")}
        </EmptyState>
      )}
      <NextPageLink to={next && urls.group(group.slug, { tab: "resources", after: next })} />
    </>
  );
}
