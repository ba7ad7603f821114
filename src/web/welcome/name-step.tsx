import { useEffect, useState } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { findRejectedForm } from "../ui/forms/form-result.ts";
import { Avatar, Field, FormErrors, TextField, useRootData } from "../ui/index.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { useTranslate } from "../i18n/index.ts";
import { StepButtons } from "./step-buttons.tsx";
import type { StepProps } from "./welcome-page.tsx";

export function NameStep({ data }: StepProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const fault = findRejectedForm(useFormResult())?.refused.fields["picture"];
  return (
    <Form method="post" encType="multipart/form-data" className="grid gap-5">
      <FormErrors />
      <h2 className="font-serif text-large font-semibold">{t("Your profile")}</h2>
      <TimeZoneInput />
      <TextField
        name="name"
        label={t("Display name")}
        defaultValue={me?.name}
        required
        maxLength={LIMITS.displayName}
        autoComplete="name"
        dir="auto"
      />
      <div className="flex items-start gap-4">
        {me && <Avatar person={me} size={64} />}
        <div className="min-w-0 flex-1">
          <Field
            name="picture"
            label={t("Photo (optional)")}
            hint={t("JPEG, PNG or WebP, up to 8 MB. Cropped to a square; location data is removed.")}
            fault={fault}
          >
            {(fieldProps) => <input {...fieldProps} type="file" accept="image/*" className="input" />}
          </Field>
        </div>
      </div>
      <p className="hint">
        {t("Visible to everyone who can read your posts. You can change your name and photo at any time.")}
      </p>
      <StepButtons step={1} at={data.at} intent="name">
        {t("Continue")}
      </StepButtons>
    </Form>
  );
}

/** Hidden field with the browser's time zone. Without scripts the person chooses it in the settings. */
function TimeZoneInput() {
  const [zone, setZone] = useState("");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return <input type="hidden" name="timeZone" value={zone} />;
}
