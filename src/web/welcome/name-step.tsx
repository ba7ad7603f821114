import { useEffect, useState } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { refusedIn } from "../account/faults.tsx";
import { Avatar, Field, FormFaults, TextField, useRoot } from "../ui/index.ts";
import { useAnswer } from "../ui/use-answer.ts";
import { useWords } from "../words/index.ts";
import { Onwards } from "./onwards.tsx";
import type { StepProps } from "./welcome.tsx";

export function NameStep({ data }: StepProps) {
  const t = useWords();
  const { me } = useRoot();
  const fault = refusedIn(useAnswer())?.refused.fields["picture"];
  return (
    <Form method="post" encType="multipart/form-data" className="grid gap-5">
      <FormFaults />
      <h2 className="font-serif text-large font-semibold">{t("How are others to know you?")}</h2>
      <OwnTimeZone />
      <TextField
        name="name"
        label={t("Your name")}
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
            label={t("A photo, if you like")}
            hint={t("JPEG, PNG or WebP, up to 8 MB. It is cut to a square; where it was taken is removed from it.")}
            fault={fault}
          >
            {(tie) => <input {...tie} type="file" accept="image/*" className="input" />}
          </Field>
        </div>
      </div>
      <p className="hint">{t("Visible to: everybody who may read what you write. You can change both at any time.")}</p>
      <Onwards step={1} at={data.at} intent="name">
        {t("Continue")}
      </Onwards>
    </Form>
  );
}

/** The browser's time zone; without scripts it is chosen in the settings. */
function OwnTimeZone() {
  const [zone, setZone] = useState("");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return <input type="hidden" name="timeZone" value={zone} />;
}
