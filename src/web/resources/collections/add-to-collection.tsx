import { ActionForm } from "../../people/action-form.tsx";
import { Menu } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ResourcePageData } from "../resource-data.ts";

/** For people who manage collections: each of them, and whether it contains the resource. */
export function AddToCollection({ page: { resource, shelves } }: { page: ResourcePageData }) {
  const t = useTranslate();
  if (shelves.length === 0) return null;
  return (
    <Menu label={t("Add to collection")} summary={t("Add to collection")} className="menu-start">
      {shelves.map((shelf) => {
        const fields = { resourceId: resource.id, address: urls.resource(resource.id) };
        return (
          <ActionForm
            key={shelf.id}
            inMenu
            intent={shelf.holds ? "take" : "put"}
            fields={fields}
            action={urls.shelf(shelf.id)}
            busy={t("Saving…")}
            label={
              shelf.holds
                ? t("Remove from “{title}”", { title: shelf.title })
                : t("Add to “{title}”", { title: shelf.title })
            }
          >
            <span aria-hidden className="w-4 flex-none">
              {shelf.holds && <i className="icon icon-check size-4" />}
            </span>
            <span dir="auto" className="min-w-0 break-words">
              {shelf.title}
            </span>
          </ActionForm>
        );
      })}
    </Menu>
  );
}
