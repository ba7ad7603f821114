import { ActionForm } from "../../people/action-form.tsx";
import { Menu } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ResourcePageData } from "../resource-data.ts";

/** Lists the collections that the viewer manages, and whether each contains the resource. */
export function AddToCollection({ page: { resource, ownCollections } }: { page: ResourcePageData }) {
  const t = useTranslate();
  if (ownCollections.length === 0) return null;
  return (
    <Menu label={t("Add to collection")} summary={t("Add to collection")} className="menu-start">
      {ownCollections.map((collection) => {
        const fields = { resourceId: resource.id, address: urls.resource(resource.id) };
        return (
          <ActionForm
            key={collection.id}
            inMenu
            intent={collection.holds ? "remove-resource" : "add-resource"}
            fields={fields}
            action={urls.collection(collection.id)}
            busy={t("Saving…")}
            label={
              collection.holds
                ? t("Remove from “{title}”", { title: collection.title })
                : t("Add to “{title}”", { title: collection.title })
            }
          >
            <span aria-hidden className="w-4 flex-none">
              {collection.holds && <i className="icon icon-check size-4" />}
            </span>
            <span dir="auto" className="min-w-0 break-words">
              {collection.title}
            </span>
          </ActionForm>
        );
      })}
    </Menu>
  );
}
