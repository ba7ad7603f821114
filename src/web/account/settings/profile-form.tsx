import type { ReactNode } from "react";
import { type FieldAudience, LIMITS } from "#community/rules";
import { AudienceSelect } from "../../people/audience-select.tsx";
import { TextArea, TextField, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
import { OwnTextsNotice } from "../../people/profile/own-texts-notice.tsx";
import { fieldError, SettingsForm } from "./settings-form.tsx";
import { Link } from "../../ui/navigation/link.tsx";

const MAX_CUSTOM_FIELDS = 8;

export function ProfileFieldsForm(part: SettingsSectionProps<"profile">) {
  const t = useTranslate();
  const { me } = useRootData();
  const { account, about } = part.data;
  const { privacy } = account;
  const fault = fieldError(part.answer, "profile-lines");
  return (
    <SettingsForm {...part} intent="profile" save={t("Save profile")}>
      <OwnTextsNotice entries={part.data.ownTexts} />
      {me && (
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link to={urls.person(me.id)}>{t("View profile")}</Link>
          <Link to={urls.editPhoto(me.id)}>{t("Change photo")}</Link>
          <Link to={urls.editHeader(me.id)}>{t("Change cover")}</Link>
        </p>
      )}
      <TextField
        name="profile-name"
        label={t("Display name")}
        defaultValue={account.name}
        required
        maxLength={LIMITS.displayName}
        autoComplete="name"
        dir="auto"
      />
      <FieldWithAudience name="profile-pronounsFor" label={t("Pronouns")} chosen={privacy.pronouns}>
        <TextField
          name="profile-pronouns"
          label={t("Pronouns")}
          defaultValue={about?.pronouns}
          maxLength={40}
          dir="auto"
        />
      </FieldWithAudience>
      <FieldWithAudience name="profile-locationFor" label={t("Location")} chosen={privacy.location}>
        <TextField
          name="profile-location"
          label={t("Location")}
          defaultValue={about?.location}
          maxLength={80}
          dir="auto"
        />
      </FieldWithAudience>
      <TextArea
        name="profile-bio"
        markdown
        label={t("About you")}
        defaultValue={about?.bioMd}
        maxLength={LIMITS.bio}
        dir="auto"
        hint={t("A few sentences. Markdown works.")}
      />
      <FieldWithAudience name="profile-bioFor" label={t("About you")} chosen={privacy.bio}>
        <p className="hint">{t("Choose who can see each answer, among those who can see your profile.")}</p>
      </FieldWithAudience>
      <CustomFields fields={about?.fields ?? []} fault={fault} />
    </SettingsForm>
  );
}

/** A field with its audience. */
function FieldWithAudience({
  name,
  label,
  chosen,
  children,
}: {
  name: string;
  label: string;
  chosen: FieldAudience;
  children: ReactNode;
}) {
  const t = useTranslate();
  return (
    <div className="grid items-end gap-2 phone:grid-cols-[1fr_9rem]">
      {children}
      <AudienceSelect name={name} label={t("Visible to: {label}", { label })} chosen={chosen} />
    </div>
  );
}

type CustomField = { label: string; value: string; audience: FieldAudience };

/** Custom fields, each with a separate audience. Two empty ones are always offered, up to the limit. */
function CustomFields({ fields, fault }: { fields: CustomField[]; fault: string | undefined }) {
  const t = useTranslate();
  const empty = Array.from({ length: Math.min(2, MAX_CUSTOM_FIELDS - fields.length) }, (): CustomField => ({
    label: "",
    value: "",
    audience: "members",
  }));
  return (
    <fieldset className="grid gap-3" aria-describedby={fault ? "lines-fault" : undefined}>
      <legend className="mb-1 font-[550]">{t("Custom fields")}</legend>
      <p className="hint">
        {t(
          "For example your work, topics to ask you about or a website. To remove a field, leave its " +
            "label and value empty.",
        )}
      </p>
      {[...fields, ...empty].map((line, i) => (
        <div key={`${i}-${line.label}`} className="grid gap-2 phone:grid-cols-[10rem_1fr_9rem]">
          <input
            name="profile-label[]"
            aria-label={t("Field {n}: label", { n: i + 1 })}
            placeholder={t("Label")}
            defaultValue={line.label}
            maxLength={40}
            dir="auto"
            className="input"
          />
          <input
            name="profile-value[]"
            aria-label={t("Field {n}: value", { n: i + 1 })}
            placeholder={t("Value")}
            defaultValue={line.value}
            maxLength={200}
            dir="auto"
            className="input"
          />
          <AudienceSelect
            name="profile-audience[]"
            label={t("Field {n}: visibility", { n: i + 1 })}
            chosen={line.audience}
          />
        </div>
      ))}
      {fault && (
        <p className="fault" id="lines-fault">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
