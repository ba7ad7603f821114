import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { findRejectedForm } from "../ui/forms/form-result.ts";
import { PasswordField } from "../account/password-field.tsx";
import { usePasswordRequirements } from "../account/password-requirements.ts";
import { UsernameField } from "../account/registration/username-field.tsx";
import { CheckField, Field, FormErrors, SubmitButton, TextField } from "../ui/index.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { useTranslate } from "../i18n/index.ts";

/** Everything that a new community needs, on one page: its name, the first admin and a first group. */
export function SetupForm({ accent, email }: { accent: string; email: string }) {
  const t = useTranslate();
  return (
    <>
      <h1 className="font-serif text-headline font-semibold">{t("Set up your community")}</h1>
      <p className="mt-1 mb-6 text-quiet">{t("You can change everything later in the settings.")}</p>
      {/* The form loads a whole document, because an open page would reload after the sign-in. */}
      <Form method="post" encType="multipart/form-data" reloadDocument className="grid gap-8">
        <FormErrors />
        <CommunityFields accent={accent} />
        <AccountFields email={email} />
        <GroupFields />
        <div>
          <SubmitButton busy={t("Setting up…")} className="w-full phone:w-auto">
            {t("Set up community")}
          </SubmitButton>
        </div>
      </Form>
    </>
  );
}

function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4">
      <legend className="float-start mb-1 w-full font-serif text-large font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}

function CommunityFields({ accent }: { accent: string }) {
  const t = useTranslate();
  const fault = findRejectedForm(useFormResult())?.refused.fields["picture"];
  return (
    <FormSection title={t("Community")}>
      <TextField
        name="community"
        label={t("Name of the community")}
        required
        maxLength={60}
        autoComplete="off"
        dir="auto"
      />
      <TextField
        name="sentence"
        label={t("Tagline")}
        hint={t("One sentence that tells visitors what it is about.")}
        maxLength={200}
        autoComplete="off"
        dir="auto"
      />
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <Field name="picture" label={t("Logo (optional)")} fault={fault}>
          {(tie) => (
            <input
              {...tie}
              type="file"
              accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
              className="input"
            />
          )}
        </Field>
        <TextField
          name="accent"
          type="color"
          label={t("Colour of buttons and links")}
          defaultValue={accent}
        />
      </div>
    </FormSection>
  );
}

function AccountFields({ email }: { email: string }) {
  const t = useTranslate();
  const requirements = usePasswordRequirements(true);
  const { typed = {}, refused } = findRejectedForm(useFormResult()) ?? {};
  const [name, setName] = useState("");
  const early = useRef<HTMLInputElement>(null);
  // The name may have been typed before hydration.
  useEffect(() => setName(early.current?.value ?? ""), []);
  return (
    <FormSection title={t("Your account")}>
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <Field name="name" label={t("Display name")} fault={refused?.fields["name"]}>
          {(tie) => (
            <input
              {...tie}
              ref={early}
              defaultValue={typed["name"]}
              required
              maxLength={LIMITS.displayName}
              autoComplete="name"
              dir="auto"
              className="input"
              onBlur={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <TextField
          name="email"
          type="email"
          label={t("Email address")}
          defaultValue={email}
          required
          maxLength={LIMITS.email}
          autoComplete="email"
        />
      </div>
      <PasswordField
        name="password"
        label={t("Password")}
        autoComplete="new-password"
        hint={requirements}
        fault={refused?.fields["password"]}
      />
      <details open={Boolean(typed["username"] || refused?.fields["username"])}>
        <summary className="text-accent underline">{t("Choose a username")}</summary>
        <div className="mt-3">
          <UsernameField name={name} typed={typed["username"]} fault={refused?.fields["username"]} />
        </div>
      </details>
    </FormSection>
  );
}

function GroupFields() {
  const t = useTranslate();
  const templates = [
    ["everyone", t("For everyone"), t("Everyone can find and read it, and join directly.")],
    ["members", t("For members"), t("Everyone can find it. Only members read, and you approve them.")],
    ["team", t("For a team"), t("Only invited people know of it.")],
    ["", t("No group yet"), t("You can create groups at any time.")],
  ] as const;
  return (
    <FormSection title={t("First group")}>
      <div className="grid gap-3 phone:grid-cols-2">
        {templates.map(([value, label, hint]) => (
          <CheckField
            key={value}
            type="radio"
            name="group"
            value={value}
            label={label}
            hint={hint}
            defaultChecked={value === "everyone"}
          />
        ))}
      </div>
      <TextField
        name="groupName"
        label={t("Name of the group")}
        hint={t("You get a link that invites people to it.")}
        defaultValue={t("General")}
        maxLength={LIMITS.groupName.max}
        autoComplete="off"
        dir="auto"
      />
    </FormSection>
  );
}
