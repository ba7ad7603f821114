import { useAudienceLabels } from "../../people/audience-select.tsx";
import { ActionForm } from "../../people/action-form.tsx";
import { MoveButtons } from "../move-buttons.tsx";
import { ButtonLink, Tag } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ProfileFieldInputs } from "./profile-field-form.tsx";
import { useProfileFieldLabels } from "./profile-field-labels.ts";
import type { FieldRow } from "./profile-fields-page.tsx";

type Props = { field: FieldRow; open: boolean; first: boolean; last: boolean };

/** A profile field with its actions; `open`: its form is shown below. */
export function ProfileFieldRow({ field, open, first, last }: Props) {
  const t = useTranslate();
  const kinds = useProfileFieldLabels();
  const audiences = useAudienceLabels();
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p dir="auto" className="font-semibold break-words">
            {field.label} {field.required && <Tag>{t("Required")}</Tag>}
          </p>
          <p className="text-small text-quiet">
            {kinds[field.kind]} ·{" "}
            {field.locked
              ? t("Limited to: {audience}", { audience: audiences[field.audience] })
              : audiences[field.audience]}{" "}
            ·{" "}
            {t("{count, plural, =0 {no answers} one {# answer} other {# answers}}", {
              count: field.answers,
            })}
          </p>
          {field.choices.length > 0 && (
            <p dir="auto" className="text-small text-quiet">
              {field.choices.join(" · ")}
            </p>
          )}
        </div>
        {field.retiredAt === null ? (
          <FieldActions {...{ field, open, first, last }} />
        ) : (
          <RestoreField field={field} />
        )}
      </div>
      {open && (
        <div className="mt-4">
          <ProfileFieldInputs field={field} />
        </div>
      )}
    </li>
  );
}

function FieldActions({ field: { id, label }, open, first, last }: Props) {
  const t = useTranslate();
  return (
    <div className="flex flex-wrap gap-2">
      <MoveButtons label={label} fields={{ id }} first={first} last={last} />
      <ButtonLink
        to={open ? urls.profileFields() : urls.profileFields({ field: id })}
        preventScrollReset
        aria-expanded={open}
      >
        {open ? t("Cancel") : t("Edit…")}
      </ButtonLink>
      <ActionForm
        intent="retire"
        fields={{ id }}
        kind="danger"
        busy={t("One moment…")}
        label={t("Retire: {label}", { label })}
      >
        {t("Retire")}
      </ActionForm>
    </div>
  );
}

function RestoreField({ field: { id, label } }: { field: FieldRow }) {
  const t = useTranslate();
  return (
    <ActionForm
      intent="restore"
      fields={{ id }}
      busy={t("One moment…")}
      label={t("Restore: {label}", { label })}
    >
      {t("Restore")}
    </ActionForm>
  );
}
