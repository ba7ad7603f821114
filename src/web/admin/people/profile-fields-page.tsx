import { redirect } from "react-router";
import {
  addProfileField,
  restoreProfileField,
  changeProfileField,
  listProfileFields,
  FieldForm,
  moveProfileField,
  NewFieldForm,
  retireProfileField,
} from "#community/accounts";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { z } from "zod";
import { readQueryParam, parseForm, chooseAction } from "../../form-parsing.ts";
import { EmptyState, PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/profile-fields-page";
import { ProfileFieldRow } from "./profile-field-row.tsx";
import { ProfileFieldInputs } from "./profile-field-form.tsx";

export const loader = defineLoader(async ({ db, viewer, url }) => ({
  fields: await listProfileFields(db, viewer),
  open: readQueryParam(url, "field", 40),
}));

export type FieldRow = Awaited<ReturnType<typeof loader>>["fields"][number];

const checked = z
  .string()
  .optional()
  .transform((given) => given !== undefined);
const checks = { locked: checked, required: checked };
const FieldInput = z.object({ id: z.uuid("Unknown value.") });

/** Commands of this page, by the form's `intent`. */
const PROFILE_FIELD_COMMANDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>> = {
  add: (tx, viewer, form) => addProfileField(tx, viewer, parseForm(NewFieldForm.extend(checks), form)),
  change: (tx, viewer, form) =>
    changeProfileField(tx, viewer, parseForm(FieldInput, form).id, parseForm(FieldForm.extend(checks), form)),
  up: (tx, viewer, form) => moveProfileField(tx, viewer, parseForm(FieldInput, form).id, "up"),
  down: (tx, viewer, form) => moveProfileField(tx, viewer, parseForm(FieldInput, form).id, "down"),
  retire: (tx, viewer, form) => retireProfileField(tx, viewer, parseForm(FieldInput, form).id),
  restore: (tx, viewer, form) => restoreProfileField(tx, viewer, parseForm(FieldInput, form).id),
};

export const action = defineAction(async ({ app, viewer, form }) => {
  const verb = chooseAction(PROFILE_FIELD_COMMANDS, form);
  await app.database.inTransaction((tx) => verb(tx, viewer, form));
  return redirect(urls.profileFields());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Profile fields"),
  hidden: true,
}));

export default function ProfileFieldsPage({ loaderData: { fields, open } }: Route.ComponentProps) {
  const t = useTranslate();
  const asking = fields.filter((field) => field.retiredAt === null);
  const retired = fields.filter((field) => field.retiredAt !== null);
  return (
    <>
      <PageHeader
        title={t("Profile fields")}
        lead={t("Fields that every profile has, besides name, photo and description.")}
      />
      <RefusalNotice />
      {asking.length === 0 && (
        <EmptyState title={t("No profile fields yet.")}>
          {t("For example a trade, a language or a street, so that people can find each other.")}
        </EmptyState>
      )}
      <ol className="border-t border-line empty:hidden">
        {asking.map((field, i) => (
          <ProfileFieldRow
            key={field.id}
            field={field}
            open={open === field.id}
            first={i === 0}
            last={i === asking.length - 1}
          />
        ))}
      </ol>
      {open === "" && (
        <section aria-labelledby="add" className="mt-8">
          <h2 id="add" className="mb-3 font-serif text-large font-semibold">
            {t("New field")}
          </h2>
          <ProfileFieldInputs />
        </section>
      )}
      {retired.length > 0 && (
        <section aria-labelledby="retired" className="mt-8">
          <h2 id="retired" className="mb-2 font-serif text-large font-semibold">
            {t("Retired")}
          </h2>
          <ul className="border-t border-line">
            {retired.map((field) => (
              <ProfileFieldRow key={field.id} field={field} open={false} first last />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
