import type { ReactNode } from "react";
import { type FieldAudience, LIMITS } from "#community/rules";
import { AudienceSelect } from "../../people/audience-select.tsx";
import { TextArea, TextField, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "../account-settings-page.tsx";
import { fieldError, SettingsForm } from "./settings-form.tsx";
import { Link } from "../../ui/navigation/link.tsx";

const MAX_CUSTOM_FIELDS = 8;

export function ProfileFieldsForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const { account, about } = part.data;
  const { privacy } = account;
  const fault = fieldError(part.answer, "profile-lines");
  return (
    <SettingsForm {...part} intent="profile" save={t("Save the profile")}>
      {me && (
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link to={urls.person(me.id)}>{t("See your profile")}</Link>
          <Link to={urls.editPhoto(me.id)}>{t("Change your photo")}</Link>
          <Link to={urls.editHeader(me.id)}>{t("Change the picture above it")}</Link>
        </p>
      )}
      <TextField
        name="profile-name"
        label={t("Your name")}
        defaultValue={account.name}
        required
        maxLength={LIMITS.displayName}
        autoComplete="name"
        dir="auto"
      />
      <FieldWithAudience name="profile-pronounsFor" label={t("Pronouns")} chosen={privacy.pronouns}>
        <TextField name="profile-pronouns" label={t("Pronouns")} defaultValue={about?.pronouns} maxLength={40} dir="auto" />
      </FieldWithAudience>
      <FieldWithAudience name="profile-locationFor" label={t("Where you are")} chosen={privacy.location}>
        <TextField name="profile-location" label={t("Where you are")} defaultValue={about?.location} maxLength={80} dir="auto" />
      </FieldWithAudience>
      <TextArea
        name="profile-bio"
        label={t("About you")}
        defaultValue={about?.bioMd}
        maxLength={LIMITS.bio}
        dir="auto"
        hint={t("A few sentences; markdown works.")}
      />
      <FieldWithAudience name="profile-bioFor" label={t("About you")} chosen={privacy.bio}>
        <p className="hint">{t("Each line is seen by whom you choose, and by nobody who may not see your profile.")}</p>
      </FieldWithAudience>
      <CustomFields lines={about?.fields ?? []} fault={fault} />
    </SettingsForm>
  );
}

/** A field with its audience. */
function FieldWithAudience({ name, label, chosen, children }: { name: string; label: string; chosen: FieldAudience; children: ReactNode }) {
  const t = useTranslate();
  return (
    <div className="grid items-end gap-2 phone:grid-cols-[1fr_9rem]">
      {children}
      <AudienceSelect name={name} label={t("Who sees: {label}", { label })} chosen={chosen} />
    </div>
  );
}

type CustomField = { label: string; value: string; audience: FieldAudience };

/** Custom fields, each with its own audience. Two empty ones are always offered, up to the limit. */
function CustomFields({ lines, fault }: { lines: CustomField[]; fault: string | undefined }) {
  const t = useTranslate();
  const empty = Array.from({ length: Math.min(2, MAX_CUSTOM_FIELDS - lines.length) }, (): CustomField => ({
    label: "",
    value: "",
    audience: "members",
  }));
  return (
    <fieldset className="grid gap-3" aria-describedby={fault ? "lines-fault" : undefined}>
      <legend className="mb-1 font-[550]">{t("Lines of your own")}</legend>
      <p className="hint">{t("What you do, what to ask you about, a page of yours. Leave both fields empty to remove a line.")}</p>
      {[...lines, ...empty].map((line, i) => (
        <div key={`${i}-${line.label}`} className="grid gap-2 phone:grid-cols-[10rem_1fr_9rem]">
          <input
            name="profile-label[]"
            aria-label={t("Line {n}: what it is", { n: i + 1 })}
            placeholder={t("What it is")}
            defaultValue={line.label}
            maxLength={40}
            dir="auto"
            className="input"
          />
          <input
            name="profile-value[]"
            aria-label={t("Line {n}: what it says", { n: i + 1 })}
            placeholder={t("What it says")}
            defaultValue={line.value}
            maxLength={200}
            dir="auto"
            className="input"
          />
          <AudienceSelect name="profile-audience[]" label={t("Line {n}: who sees it", { n: i + 1 })} chosen={line.audience} />
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
