import { type ReactNode, useEffect, useState } from "react";
import { Field } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";

type Props = {
  name: string;
  label: string;
  autoComplete: "current-password" | "new-password";
  hint?: ReactNode;
  fault?: string | undefined;
  id?: string;
  autoFocus?: boolean;
};

/** Password field with a button to show what is typed; the button appears with scripts only. */
export function PasswordField({ name, label, hint, fault, autoComplete, id = name, autoFocus }: Props) {
  const t = useTranslate();
  const [ready, setReady] = useState(false);
  const [shown, setShown] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <Field name={id} label={label} hint={hint} fault={fault}>
      {(tie) => (
        <span className="relative block">
          <input
            {...tie}
            name={name}
            type={shown ? "text" : "password"}
            autoComplete={autoComplete}
            autoFocus={autoFocus}
            required
            maxLength={1000}
            autoCapitalize="none"
            spellCheck={false}
            className="input pe-12"
          />
          {ready && (
            <button
              type="button"
              onClick={() => setShown(!shown)}
              aria-pressed={shown}
              aria-label={t("Show the password")}
              className="absolute inset-y-0 end-0 grid w-11 place-items-center text-quiet hover:text-ink"
            >
              <i className={shown ? "icon icon-eye-off" : "icon icon-eye"} />
            </button>
          )}
        </span>
      )}
    </Field>
  );
}
