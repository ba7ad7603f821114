import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { CheckField, FormErrors, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../account-form-errors.tsx";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import { UsernameField } from "./username-field.tsx";
import { JoinReasonField } from "./join-reason-field.tsx";
import { Link } from "../../ui/navigation/link.tsx";

type Props = {
  answer: unknown;
  next: string;
  started: string;
  approval: boolean;
  /** Address that the invitation was sent to, if only that address may register with it. */
  invited?: string | undefined;
};

/** Registration on one page, which shows all requirements before the form is sent. */
export function RegisterForm({ answer, next, started, approval, invited }: Props) {
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
    <Form ref={form} method="post" action={urls.register({ next })} className="grid gap-5">
      <FormErrors />
      <input type="hidden" name="next" value={typed["next"] ?? next} />
      <input type="hidden" name="started" value={started} />
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
      <UsernameField name={name} typed={typed["username"]} fault={refused?.fields["username"]} />
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
      <PasswordField
        name="password"
        label={t("Password")}
        autoComplete="new-password"
        hint={words}
        fault={refused?.fields["password"]}
      />
      {approval && <JoinReasonField />}
      <Honeypot />
      <Terms fault={refused?.fields["terms"]} />
      <div>
        <SubmitButton busy={t("Registering…")} className="w-full phone:w-auto">
          {approval ? t("Request to join") : t("Sign up")}
        </SubmitButton>
      </div>
    </Form>
  );
}

function Terms({ fault }: { fault: string | undefined }) {
  const t = useTranslate();
  return (
    <div id="field-terms">
      <CheckField
        name="terms"
        required
        label={t("I have read and accept the rules and the privacy policy.")}
        aria-describedby={fault ? "terms-fault" : undefined}
      />
      {fault && (
        <p className="fault" id="terms-fault">
          {fault}
        </p>
      )}
      <p className="hint ms-7 mt-1">
        <Rich
          text="Read <0>the rules</0> and <1>the privacy policy</1>."
          parts={{
            0: <Link to={urls.rules()} target="_blank" />,
            1: <Link to={urls.privacy()} target="_blank" />,
          }}
        />
      </p>
    </div>
  );
}

/** Honeypot: a field that people cannot see or reach, but bots fill in. */
function Honeypot() {
  const t = useTranslate();
  return (
    <div aria-hidden className="absolute -start-[9999px] h-px w-px overflow-hidden">
      <label htmlFor="field-website">{t("Leave this empty")}</label>
      <input id="field-website" name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}
