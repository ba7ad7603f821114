import { Form, redirect } from "react-router";
import { getGroup } from "#community/groups";
import { createCollection, NewCollection } from "#community/resources";
import { collectionRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { ButtonLink, FormErrors, PageHeader, pageMeta, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/new-collection-page";
import { CollectionFields } from "./collection-fields.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const queryParam = readQueryParam(url, "group");
  const group = queryParam ? await getGroup(db, viewer, queryParam) : null;
  if (!collectionRules.make(viewer, group))
    throw new Refusal("not-allowed", "Only moderators can create collections.");
  return {
    group: group && {
      id: group.id,
      slug: group.slug,
      name: group.name,
      visibility: group.visibility,
      membersCount: group.membersCount,
    },
  };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  const { id } = await app.database.inTransaction((tx) =>
    createCollection(tx, viewer, parseForm(NewCollection, form)),
  );
  return redirect(urls.collection(id));
});

export const meta = pageMeta((_data, t) => ({ title: t("New collection"), hidden: true }));

export default function NewCollectionPage({ loaderData: { group } }: Route.ComponentProps) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  return (
    <>
      <PageHeader title={t("New collection")} lead={t("Resources that belong together, in your order.")} />
      <div className="mb-5 empty:hidden">
        <FormErrors />
      </div>
      <Form method="post" className="grid gap-5">
        {group && <input type="hidden" name="groupId" value={group.id} />}
        <CollectionFields />
        <p className="hint">{audience(group)}</p>
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Creating…")}>{t("Create collection")}</SubmitButton>
          <ButtonLink to={urls.resources()}>{t("Cancel")}</ButtonLink>
        </p>
      </Form>
    </>
  );
}
