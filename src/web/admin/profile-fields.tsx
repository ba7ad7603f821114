import { redirect } from "react-router";
import { addField, bringFieldBack, changeField, definedFields, FieldForm, moveField, NewFieldForm, retireField } from "#community/people";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { z } from "zod";
import { asked, parseForm, verbIn } from "../forms.ts";
import { Empty, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/profile-fields";
import { FieldLine } from "./field-line.tsx";
import { FieldFormParts } from "./field-form.tsx";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, viewer, url }) => ({ fields: await definedFields(db, viewer), open: asked(url, "field", 40) }));

export type FieldRow = Awaited<ReturnType<typeof loader>>["fields"][number];

const checked = z
  .string()
  .optional()
  .transform((given) => given !== undefined);
const checks = { locked: checked, required: checked };
const Which = z.object({ id: z.uuid("That is not something we know.") });

/** Commands of this page, by the form's `intent`. */
const VERBS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>> = {
  add: (tx, viewer, form) => addField(tx, viewer, parseForm(NewFieldForm.extend(checks), form)),
  change: (tx, viewer, form) => changeField(tx, viewer, parseForm(Which, form).id, parseForm(FieldForm.extend(checks), form)),
  up: (tx, viewer, form) => moveField(tx, viewer, parseForm(Which, form).id, "up"),
  down: (tx, viewer, form) => moveField(tx, viewer, parseForm(Which, form).id, "down"),
  retire: (tx, viewer, form) => retireField(tx, viewer, parseForm(Which, form).id),
  "bring-back": (tx, viewer, form) => bringFieldBack(tx, viewer, parseForm(Which, form).id),
};

export const action = acting(async ({ house, viewer, form }) => {
  const verb = verbIn(VERBS, form);
  await house.database.inTransaction((tx) => verb(tx, viewer, form));
  return redirect(urls.profileFields());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Profile fields"), hidden: true }));

export default function ProfileFieldsPage({ loaderData: { fields, open } }: Route.ComponentProps) {
  const t = useWords();
  const asking = fields.filter((field) => field.retiredAt === null);
  const retired = fields.filter((field) => field.retiredAt !== null);
  return (
    <>
      <PageHead
        title={t("Profile fields")}
        lead={t("What everybody here is asked to say of themselves. Names, photos and a text about oneself are there anyway.")}
      />
      <RefusalNotice />
      {asking.length === 0 && (
        <Empty title={t("Nothing is asked yet.")}>
          {t("A trade, a language one speaks, a street: what helps people here to find each other.")}
        </Empty>
      )}
      <ol className="border-t border-line empty:hidden">
        {asking.map((field, i) => (
          <FieldLine key={field.id} field={field} open={open === field.id} first={i === 0} last={i === asking.length - 1} />
        ))}
      </ol>
      {open === "" && (
        <section aria-labelledby="add" className="mt-8">
          <h2 id="add" className="mb-3 font-serif text-large font-semibold">
            {t("One more field")}
          </h2>
          <FieldFormParts />
        </section>
      )}
      {retired.length > 0 && (
        <section aria-labelledby="retired" className="mt-8">
          <h2 id="retired" className="mb-2 font-serif text-large font-semibold">
            {t("No longer asked")}
          </h2>
          <ul className="border-t border-line">
            {retired.map((field) => (
              <FieldLine key={field.id} field={field} open={false} first last />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
