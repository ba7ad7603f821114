import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useEffect, useRef } from "react";
import type { Refused } from "../visit.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { TOKENS } from "../tokens.ts";
import { Length } from "../writing/length.tsx";
import { WritingField } from "../writing/writing-field.tsx";
import { useAnswer } from "./use-answer.ts";

type Common = { name: string; label: string; hint?: ReactNode; fault?: string };

/** The last result of this page's form, if it was rejected. */
function useRefused(): Refused | undefined {
  const answer = useAnswer();
  return typeof answer === "object" && answer !== null && "refused" in answer ? (answer as Refused) : undefined;
}

/** Values of this page's form when it is shown again, after a rejection or for a preview. */
function useTyped(): Record<string, string> {
  const answer = useAnswer();
  return typeof answer === "object" && answer !== null && "typed" in answer ? (answer as Refused).typed : {};
}

/** Label, input, hint and error message, associated for assistive technology. */
export function Field({
  name,
  label,
  hint,
  fault,
  children,
}: Common & { children: (tie: { id: string; name: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode }) {
  const id = `field-${name.replace(/[^\w-]/g, "")}`;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, name, "aria-describedby": described || undefined, "aria-invalid": fault ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** A text input. After a rejection it shows its value and its error. */
export function TextField({
  name,
  label,
  hint,
  fault,
  defaultValue,
  ...rest
}: Common & Omit<InputHTMLAttributes<HTMLInputElement>, "name">) {
  const refused = useRefused();
  const typed = useTyped();
  return (
    <Field name={name} label={label} hint={hint} fault={fault ?? refused?.refused.fields[name]}>
      {(tie) => <input {...rest} {...tie} defaultValue={typed[name] ?? defaultValue} className="input" />}
    </Field>
  );
}

export function TextArea({
  name,
  label,
  hint,
  fault,
  defaultValue,
  rows = TOKENS.textareaRows,
  most,
  ...rest
}: Common & { place?: string; /** Maximum characters. A longer pasted text is not cut, but marked. */ most?: number } & Omit<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    "name"
  >) {
  const refused = useRefused();
  const typed = useTyped();
  return (
    <Field name={name} label={label} hint={hint} fault={fault ?? refused?.refused.fields[name]}>
      {(tie) => (
        <>
          <WritingField {...rest} {...tie} rows={rows} defaultValue={typed[name] ?? defaultValue} />
          {most !== undefined && <Length fieldId={tie.id} most={most} />}
        </>
      )}
    </Field>
  );
}

export function SelectField({
  name,
  label,
  hint,
  fault,
  defaultValue,
  children,
  ...rest
}: Common & Omit<SelectHTMLAttributes<HTMLSelectElement>, "name">) {
  const refused = useRefused();
  const typed = useTyped();
  return (
    <Field name={name} label={label} hint={hint} fault={fault ?? refused?.refused.fields[name]}>
      {(tie) => (
        <select {...rest} {...tie} defaultValue={typed[name] ?? defaultValue} className="input">
          {children}
        </select>
      )}
    </Field>
  );
}

/**
 * A checkbox or radio button: its state is restored after a rejection. Of a list (`days[]`) only the last
 * value is known then.
 */
export function CheckField({ name, label, hint, ...rest }: Common & Omit<InputHTMLAttributes<HTMLInputElement>, "name">) {
  const typed = useTyped()[name];
  const known = typed !== undefined && !name.endsWith("[]");
  const chosen = known ? rest.type !== "radio" || typed === rest.value : rest.defaultChecked;
  return (
    <label className="check">
      <input {...rest} type={rest.type ?? "checkbox"} name={name} defaultChecked={chosen} />
      <span>
        {label}
        {hint && <span className="hint block">{hint}</span>}
      </span>
    </label>
  );
}

/**
 * For people who were signed out while writing: opens the sign-in in another tab, so that this page keeps its
 * text.
 */
export function SignInElsewhere({ reason }: { reason: string | undefined }) {
  const t = useWords();
  return (
    reason === "not-signed-in" && (
      <>
        {" "}
        <a href={urls.login()} target="_blank">
          {t("Sign in")}
        </a>
      </>
    )
  );
}

/**
 * Summary of the form's errors above it, with a link to each field; it takes the focus when it appears.
 * `field` limits it to this form's fields where a page has several forms.
 */
export function FormFaults() {
  const refused = useRefused();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refused) box.current?.focus();
  }, [refused]);
  if (!refused) return null;
  const faults = Object.entries(refused.refused.fields);
  return (
    <div ref={box} tabIndex={-1} role="alert" className="notice" data-tone="bad">
      <div>
        <p className="font-semibold">
          {refused.refused.message}
          <SignInElsewhere reason={refused.refused.reason} />
        </p>
        {faults.length > 1 && (
          <ul>
            {faults.map(([name, sentence]) => (
              <li key={name}>
                <a href={`#field-${name}`}>{sentence}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
