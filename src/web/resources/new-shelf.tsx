import { Form, redirect } from "react-router";
import { groupFor } from "#community/groups";
import { makeShelf, NewShelf } from "#community/resources";
import { shelfRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { useGroupWords } from "../groups/words.ts";
import { ButtonLink, FormFaults, PageHead, pageMeta, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/new-shelf";
import { ShelfFields } from "./shelf-fields.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, url }) => {
  const wanted = asked(url, "group");
  const group = wanted ? await groupFor(db, viewer, wanted) : null;
  if (!shelfRules.make(viewer, group)) throw new Refusal("not-allowed", "Shelves are put up by those who look after the place.");
  return {
    group: group && { id: group.id, slug: group.slug, name: group.name, visibility: group.visibility, membersCount: group.membersCount },
  };
});

export const action = acting(async ({ house, viewer, form }) => {
  const { id } = await house.database.inTransaction((tx) => makeShelf(tx, viewer, parseForm(NewShelf, form)));
  return redirect(urls.shelf(id));
});

export const meta = pageMeta((_data, t) => ({ title: t("A new shelf"), hidden: true }));

export default function NewShelfPage({ loaderData: { group } }: Route.ComponentProps) {
  const t = useWords();
  const { audience } = useGroupWords();
  return (
    <>
      <PageHead title={t("A new shelf")} lead={t("Resources that belong together, in an order of yours.")} />
      <div className="mb-5 empty:hidden">
        <FormFaults />
      </div>
      <Form method="post" className="grid gap-5">
        {group && <input type="hidden" name="groupId" value={group.id} />}
        <ShelfFields />
        <p className="hint">{audience(group)}</p>
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Putting it up…")}>{t("Put up the shelf")}</SubmitButton>
          <ButtonLink to={urls.resources()}>{t("Rather not")}</ButtonLink>
        </p>
      </Form>
    </>
  );
}
