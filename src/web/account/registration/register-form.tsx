import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import type { ProofChallenge } from "#community/prevention";
import { LIMITS } from "#community/rules";
import { FormErrors, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import { UsernameField } from "./username-field.tsx";
import { JoinReasonField } from "./join-reason-field.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { Honeypot } from "../../ui/forms/honeypot.tsx";
import { ProofField } from "../../ui/forms/proof-field.tsx";

type Props = {
  answer: unknown;
  next: string;
  started: string;
  /** Task that the browser solves before the form is sent; null for none. */
  challenge: ProofChallenge | null;
  approval: boolean;
  /** Address that the invitation was sent to, if only that address may register with it. */
  invited?: string | undefined;
};

/** Registration on one page, which shows all requirements before the form is sent. */
export function RegisterForm({ answer, next, started, challenge, approval, invited }: Props) {
  const t = useTranslate();
  const words = usePasswordRequirements();
  const { typed = {}, refused } = findRejectedForm(answer) ?? {};
  const [name, setName] = useState("");
  const form = useRef<HTMLFormElement>(null);
  // The name may have been typed before hydration.
  useEffect(() => {
    const early = form.current?.elements.namedItem("name");
    if (early instanceof HTMLInputElement && early !== document.activeElement) setName(early.value);
  }, []);
  return (
    <Form ref={form} method="post" action={urls.register({ next })} className="grid gap-4">
      <FormErrors />
      <input type="hidden" name="next" value={typed["next"] ?? next} />
      <input type="hidden" name="started" value={started} />
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <TextField
          name="name"
          label={t("Display name")}
          hint={t("Shown to others. A nickname is fine.")}
          required
          maxLength={LIMITS.displayName}
          autoComplete="name"
          dir="auto"
          onBlur={(event) => setName(event.target.value)}
        />
        <TextField
          name="email"
          type="email"
          label={t("Email address")}
          hint={
            invited
              ? t(
                  "Your invitation was sent to this address. For signing in and for emails; not shown to others.",
                )
              : t("For signing in and for emails. Not shown to others.")
          }
          defaultValue={invited}
          readOnly={invited !== undefined}
          required
          maxLength={LIMITS.email}
          autoComplete="email"
        />
      </div>
      <PasswordField
        name="password"
        label={t("Password")}
        autoComplete="new-password"
        hint={words}
        fault={refused?.fields["password"]}
      />
      <details open={Boolean(typed["username"] || refused?.fields["username"])}>
        <summary className="text-accent underline">{t("Choose a username")}</summary>
        <div className="mt-3">
          <UsernameField name={name} typed={typed["username"]} fault={refused?.fields["username"]} />
        </div>
      </details>
      {approval && <JoinReasonField />}
      <Honeypot />
      {challenge && (
        <ProofField
          challenge={challenge}
          withoutProof={t(
            "Your browser runs no scripts here, so a moderator reviews your registration first.",
          )}
        />
      )}
      <div className="grid gap-2">
        <SubmitButton busy={t("Registering…")} className="w-full phone:w-auto">
          {approval ? t("Request to join") : t("Sign up")}
        </SubmitButton>
        <p className="hint">
          <Rich
            text="By signing up you accept <0>the rules</0> and <1>the privacy policy</1>."
            parts={{
              0: <Link to={urls.rules()} target="_blank" />,
              1: <Link to={urls.privacy()} target="_blank" />,
            }}
          />
        </p>
      </div>
    </Form>
  );
}
