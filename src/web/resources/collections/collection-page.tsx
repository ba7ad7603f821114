import { Form, redirect } from "react-router";
import { listCollectionItems, type CollectionView, getCollection } from "#community/resources";
import { LIMITS, collectionRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { OrderedItem, AddByAddress } from "../../groups/ordered-list.tsx";
import { ActionForm, ConfirmActionForm } from "../../people/action-form.tsx";
import {
  ButtonLink,
  EmptyState,
  FormErrors,
  Menu,
  PageHeader,
  pageMeta,
  PersonLink,
  SubmitButton,
  TextField,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/collection-page";
import { KindIcon } from "../library/resource-kinds.tsx";
import { CollectionFields } from "./collection-fields.tsx";
import { runCollectionCommand } from "./collection-commands.ts";

export const middleware = [requireMember];

/** Page to edit a collection for people who may manage it. Everyone else reads it in the library. */
export const loader = defineLoader(async ({ db, viewer, params }) => {
  const collection = await getCollection(db, viewer, params["collectionId"] ?? "");
  if (!collectionRules.curate(viewer, collection))
    throw new Refusal("not-allowed", "Only curators can change the collection.");
  return {
    collection,
    items: await listCollectionItems(db, viewer, collection),
    canManage: collectionRules.manage(viewer, collection),
  };
});

export const action = defineAction(async ({ app, viewer, form, params }) =>
  redirect(
    await app.database.inTransaction((tx) =>
      runCollectionCommand(tx, viewer, params["collectionId"] ?? "", form),
    ),
  ),
);

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ collection }, t) => ({
  title: t("Collection “{title}”", { title: collection.title }),
  hidden: true,
}));

export default function CollectionPage({
  loaderData: { collection, items, canManage },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={<span dir="auto">{collection.title}</span>}
        lead={t("Change the order of the resources.")}
        actions={
          <>
            <ButtonLink to={urls.resources({ collection: collection.id })}>{t("View collection")}</ButtonLink>
            {canManage && (
              <Menu
                label={t("More actions for this collection")}
                summary={<i className="icon icon-ellipsis" />}
              >
                <ConfirmActionForm
                  ask={t("Delete collection…")}
                  consequence={t("Its resources stay in the library.")}
                  intent="delete"
                  fields={{}}
                  busy={t("Deleting…")}
                >
                  {t("Delete “{title}”", { title: collection.title })}
                </ConfirmActionForm>
              </Menu>
            )}
          </>
        }
      />
      <div className="mb-4 empty:hidden">
        <FormErrors />
      </div>
      {items.length === 0 && (
        <EmptyState title={t("No items yet.")}>{t("Add resources here or on their own pages.")}</EmptyState>
      )}
      <ol>
        {items.map((item, index) => (
          <OrderedItem
            key={item.id}
            title={item.title}
            to={urls.resource(item.id)}
            icon={<KindIcon kind={item.kind} size="size-4" />}
            fields={{ resourceId: item.id }}
            intents={{ move: "move-resource", take: "remove-resource" }}
            first={index === 0}
            last={index === items.length - 1}
          />
        ))}
      </ol>
      <AddByAddress
        intent="add-resource"
        count={items.length}
        label={t("Link of a resource")}
        hint={t("Copy it from the browser, or use “Add to collection” on a resource.")}
      />
      <h2 className="mt-8 text-large font-semibold">{t("Name and description")}</h2>
      <Form key={`${collection.title} ${collection.about}`} method="post" className="mt-3 grid gap-4">
        <CollectionFields collection={collection} />
        <div>
          <SubmitButton name="intent" value="edit" busy={t("Saving…")}>
            {t("Save")}
          </SubmitButton>
        </div>
      </Form>
      <Curators collection={collection} canManage={canManage} />
    </>
  );
}

function Curators({ collection, canManage }: { collection: CollectionView; canManage: boolean }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="curators" className="mt-8">
      <h2 id="curators" className="text-large font-semibold">
        {t("Curators")}
      </h2>
      <ul className="mt-2">
        {collection.curators.map((person) => (
          <li
            key={person.id}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-2 last:border-b-0"
          >
            <PersonLink person={person} size={24} />
            {canManage && !person.made && (
              <ActionForm
                intent="remove-curator"
                fields={{ personId: person.id }}
                busy={t("Saving…")}
                label={t("Remove curator {name}", { name: person.name })}
              >
                {t("Remove")}
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {canManage && collection.curators.length < LIMITS.collections.curators && (
        <Form key={collection.curators.length} method="post" className="mt-3 grid gap-3">
          <TextField
            name="username"
            label={t("Username")}
            hint={t("Curators can change the order too.")}
            required
            maxLength={60}
            dir="ltr"
            autoComplete="off"
          />
          <div>
            <SubmitButton name="intent" value="add-curator" busy={t("Saving…")}>
              {t("Add curator")}
            </SubmitButton>
          </div>
        </Form>
      )}
    </section>
  );
}
