import type { ComponentType } from "react";
import { Form, type FormProps } from "react-router";
import { Button, Field } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import { SignInHiddenFields, type SignInContext } from "./sign-in-form.tsx";

type Props = {
  context: SignInContext;
  answer: unknown;
  busy: boolean;
  as?: ComponentType<FormProps>;
  id?: string;
};

/** Two-factor form: a code of the app, or a recovery code. */
export function TwoFactorForm({ context, answer, busy, as: As = Form, id = "" }: Props) {
  const t = useTranslate();
  const refused = findRejectedForm(answer);
  const typed: Record<string, string> = refused?.typed ?? {};
  const fault = refused?.refused;
  const carried = {
    ...context,
    next: typed["next"] ?? context.next,
    kept: typed["kept"] ?? context.kept,
    keptPlace: typed["keptPlace"] ?? context.keptPlace,
  };
  return (
    <As method="post" action={urls.loginPage("second-step")} className="grid gap-4" preventScrollReset>
      <AccountFormErrors answer={answer} />
      <SignInHiddenFields {...carried} />
      <Field
        name={`${id}code`}
        label={t("Code")}
        hint={t("The six digits that your app shows, or one of your recovery codes.")}
        fault={fault?.fields["code"]}
      >
        {(tie) => (
          <input
            {...tie}
            name="code"
            required
            maxLength={60}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            autoFocus
            className="input figures"
          />
        )}
      </Field>
      <Button type="submit" kind="primary" aria-busy={busy || undefined} aria-disabled={busy || undefined}>
        {busy ? t("Checking…") : t("Continue")}
      </Button>
    </As>
  );
}
