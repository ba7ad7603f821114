import { type ComponentType, Fragment, type ReactNode } from "react";
import { Form, type FormProps } from "react-router";
import { Button, CheckField, Field } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import { PasswordField } from "../password-field.tsx";
import { Link } from "../../ui/navigation/link.tsx";

export type SignInContext = { next: string; kept?: string; keptPlace?: string; over?: boolean };
type Props = {
  context: SignInContext;
  /** Result of the last submission. */
  answer: unknown;
  busy: boolean;
  /** The router's form, or the form of a fetcher. */
  as?: ComponentType<FormProps>;
  /** Distinguishes this form from another sign-in form on the page. */
  id?: string;
  login?: string;
  children?: ReactNode;
};

/** The page to return to and the unsent text, as hidden fields. */
export const SignInHiddenFields = ({ next, kept, keptPlace, over }: SignInContext) => (
  <>
    {Object.entries({ next, kept, keptPlace, over: over ? "1" : "" }).map(([name, value]) => (
      <Fragment key={name}>{value && <input type="hidden" name={name} value={value} />}</Fragment>
    ))}
  </>
);

/** Sign-in form, used on its own page, in a dialog, and beside an unsent text. */
export function SignInForm({ context, answer, busy, as: As = Form, id = "", login = "", children }: Props) {
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
    <As method="post" action={urls.login()} className="grid gap-4" preventScrollReset>
      <AccountFormErrors answer={answer} />
      <SignInHiddenFields {...carried} />
      <Field name={`${id}login`} label={t("Email address or username")} fault={fault?.fields["login"]}>
        {(tie) => (
          <input
            {...tie}
            name="login"
            required
            maxLength={320}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={typed["login"] ?? login}
            className="input"
          />
        )}
      </Field>
      <PasswordField
        name="password"
        id={`${id}password`}
        label={t("Password")}
        autoComplete="current-password"
        fault={fault?.fields["login"] ? undefined : fault?.fields["password"]}
      />
      <CheckField
        name="stay"
        label={t("Stay signed in on this device")}
        defaultChecked={refused ? "stay" in typed : true}
      />
      <Button type="submit" kind="primary" aria-busy={busy || undefined} aria-disabled={busy || undefined}>
        {busy ? t("Signing in…") : t("Sign in")}
      </Button>
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-2">
        <Link to={urls.loginPage("ask-link", { next: carried.next })}>{t("Email me a link instead")}</Link>
        <Link to={urls.resetPassword()}>{t("Forgot your password?")}</Link>
      </p>
      {children}
    </As>
  );
}
