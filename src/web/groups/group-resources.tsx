import { Plus } from "lucide-react";
import { ResourceLine } from "../resources/resource-line.tsx";
import { Shelves } from "../resources/shelves.tsx";
import { ButtonLink, Empty, NextPage } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";

/** The group's resources and collections. */
export function GroupResources({
  data: { group, may },
  content: { rows, next, shelves },
}: {
  data: GroupData;
  content: GroupContent<"resources">;
}) {
  const t = useWords();
  const add = may.addResource && (
    <ButtonLink kind={rows.length === 0 ? "primary" : "plain"} to={urls.newResource({ group: group.slug })} data-compose>
      <Plus size={16} strokeWidth={1.75} aria-hidden />
      {t("Add a resource")}
    </ButtonLink>
  );
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <h2 className="sr-only">{t("Resources")}</h2>
        <span className="ms-auto flex flex-wrap gap-2">
          {may.makeShelf && <ButtonLink to={urls.newShelf({ group: group.slug })}>{t("A new shelf")}</ButtonLink>}
          {rows.length > 0 && add}
        </span>
      </div>
      {shelves.length > 0 && (
        <div className="mt-3">
          <Shelves shelves={shelves} />
        </div>
      )}
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <ResourceLine key={row.id} row={row} />
          ))}
        </ul>
      )}
      {rows.length === 0 && (
        <Empty title={t("The shelf is empty.")} action={add}>
          {t("Links, files and documents that this group wants to find again stand here.")}
        </Empty>
      )}
      <NextPage to={next && urls.group(group.slug, { tab: "resources", after: next })} />
    </>
  );
}
