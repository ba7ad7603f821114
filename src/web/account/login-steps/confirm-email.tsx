import { Form } from "react-router";
import type { PendingConfirmation } from "#community/accounts";
import { ButtonLink, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { InvitedBy } from "../../welcome/invited-by.tsx";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import { StepHeading } from "./step-heading.tsx";
import { isLinkExpired, ExpiredLink } from "./expired-link.tsx";

/**
 * Page of a confirmation link. The browser that registered rarely shows this page, since there the link
 * signs in at once.
 */
export function ConfirmEmail({ data, answer }: StepProps) {
  const t = useTranslate();
  const { confirmation } = data;
  if (!confirmation || isLinkExpired(data.token, answer)) return <ExpiredConfirmation data={data} />;
  if (!confirmation.isOwn)
    return <ConfirmElsewhere confirmation={confirmation} data={data} answer={answer} />;
  return (
    <>
      <StepHeading title={t("Confirm your email address")}>
        <p>{t("Confirm that this email address is yours.")}</p>
      </StepHeading>
      <Form method="post" className="grid gap-4">
        <AccountFormErrors answer={answer} />
        <SubmitButton busy={t("Confirming…")}>{t("Confirm email address")}</SubmitButton>
      </Form>
    </>
  );
}

function ExpiredConfirmation({ data }: Pick<StepProps, "data">) {
  const t = useTranslate();
  if (data.mine)
    return (
      <ExpiredLink>
        <ButtonLink kind="primary" to={urls.home()}>
          {t("Go to the home page")}
        </ButtonLink>
      </ExpiredLink>
    );
  return (
    <ExpiredLink>
      {data.pending && (
        <ButtonLink kind="primary" to={urls.loginPage("sent")}>
          {t("Resume emails")}
        </ButtonLink>
      )}
      {/* Signing in with an unconfirmed address sends a new email, in any browser. */}
      <ButtonLink kind={data.pending ? "plain" : "primary"} to={urls.login()}>
        {t("Sign in")}
      </ButtonLink>
      <ButtonLink to={urls.register()}>{t("Register")}</ButtonLink>
    </ExpiredLink>
  );
}

type ConfirmElsewhereProps = Pick<StepProps, "data" | "answer"> & { confirmation: PendingConfirmation };

/**
 * Page for any browser but the one that registered: someone else may have registered with the address. One
 * button confirms the address and removes the password of the registration. The person can also enter that
 * password to keep it, or set a new password.
 */
function ConfirmElsewhere({ confirmation, data, answer }: ConfirmElsewhereProps) {
  const t = useTranslate();
  const { invitation } = data;
  const typed = findRejectedForm(answer)?.typed["intent"];
  const joins = invitation?.entry === "join" && !invitation.isIn;
  return (
    <>
      <StepHeading title={t("Confirm your email address")}>
        <p>
          {t("@{username} was registered with your address in another browser.", {
            username: confirmation.username,
          })}
        </p>
      </StepHeading>
      {invitation && <InvitedBy {...invitation} />}
      <AccountFormErrors answer={answer} />
      <Form method="post" className="grid gap-2">
        <div>
          <SubmitButton name="intent" value="without-password" busy={t("Confirming…")}>
            {joins ? t("Confirm and join") : t("Confirm and sign in")}
          </SubmitButton>
        </div>
        <p className="hint">
          {confirmation.hasPassword
            ? t("For your safety, the password chosen there is removed. You can set a new one at any time.")
            : t("You can set a password at any time.")}
        </p>
      </Form>
      <details className="mt-5" open={typed !== undefined && typed !== "without-password"}>
        <summary className="text-accent underline">
          {confirmation.hasPassword ? t("Keep the password, or set a new one") : t("Set a password now")}
        </summary>
        <PasswordChoice confirmation={confirmation} answer={answer} />
      </details>
    </>
  );
}

function PasswordChoice({ confirmation, answer }: Omit<ConfirmElsewhereProps, "data">) {
  const t = useTranslate();
  const hint = usePasswordRequirements();
  const refused = findRejectedForm(answer);
  const fault = refused?.refused.fields["password"];
  const chooses = refused?.typed["intent"] === "choose-password";
  // A password manager stores the password under this name.
  const username = (
    <input type="hidden" name="username" value={confirmation.username} autoComplete="username" />
  );
  return (
    <div className="mt-3 grid gap-6">
      {confirmation.hasPassword && (
        <Form method="post" className="grid gap-4">
          {username}
          <input type="hidden" name="intent" value="show-password" />
          <PasswordField
            name="password"
            label={t("The password you chose when you registered")}
            autoComplete="current-password"
            fault={chooses ? undefined : fault}
          />
          <div>
            <SubmitButton kind="plain" busy={t("Confirming…")}>
              {t("Confirm email address")}
            </SubmitButton>
          </div>
        </Form>
      )}
      <Form method="post" className="grid gap-4">
        {username}
        <input type="hidden" name="intent" value="choose-password" />
        <PasswordField
          id="new-password"
          name="password"
          label={t("New password")}
          hint={hint}
          autoComplete="new-password"
          fault={chooses ? fault : undefined}
        />
        <div>
          <SubmitButton kind="plain" busy={t("Confirming…")}>
            {t("Set password and confirm")}
          </SubmitButton>
        </div>
      </Form>
    </div>
  );
}
