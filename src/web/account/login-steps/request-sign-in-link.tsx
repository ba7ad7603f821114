import { Form } from "react-router";
import { SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { StepHeading } from "./step-heading.tsx";
import { DevMailboxHint } from "./dev-mailbox-hint.tsx";
import { Link } from "../../ui/navigation/link.tsx";

export function RequestSignInLink({ data, answer }: StepProps) {
  const t = useTranslate();
  if (data.said === "sent" && !answer)
    return (
      <>
        <StepHeading title={t("Check your inbox")}>
          <p>
            {t(
              "If there is an account with that address, a link is on its way. The link works once, for " +
                "15 minutes, best in this browser.",
            )}
          </p>
        </StepHeading>
        <p>
          <Link to={urls.loginPage("ask-link", { next: data.next })}>
            {t("No email? Request another one")}
          </Link>
        </p>
        <DevMailboxHint />
      </>
    );
  return (
    <>
      <StepHeading title={t("Sign-in link")}>
        <p>{t("We email you a link that signs you in.")}</p>
      </StepHeading>
      <Form method="post" action={urls.loginPage("ask-link")} className="grid gap-4">
        <AccountFormErrors answer={answer} />
        <input type="hidden" name="next" value={findRejectedForm(answer)?.typed["next"] ?? data.next} />
        <TextField
          name="email"
          type="email"
          label={t("Email address")}
          required
          maxLength={320}
          autoComplete="email"
        />
        <SubmitButton busy={t("Sending…")}>{t("Send link")}</SubmitButton>
      </Form>
      <p className="mt-4">
        <Link to={urls.login({ next: data.next })}>{t("Sign in with a password")}</Link>
      </p>
    </>
  );
}
