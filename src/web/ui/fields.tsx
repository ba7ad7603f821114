import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useEffect, useRef } from "react";
import type { Refused } from "../visit.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { TOKENS } from "../tokens.ts";
import { Length } from "../writing/length.tsx";
import { WritingField } from "../writing/writing-field.tsx";
import { useAnswer } from "./use-answer.ts";

type Common = { name: string; label: string; hint?: ReactNode; fault?: string };

/** The last answer to this page's form, when it was refused. */
function useRefused(): Refused | undefined {
  const answer = useAnswer();
  return typeof answer === "object" && answer !== null && "refused" in answer ? (answer as Refused) : undefined;
}

/** What was typed into this page's form, when it comes back: refused, or to be looked at once more. */
function useTyped(): Record<string, string> {
  const answer = useAnswer();
  return typeof answer === "object" && answer !== null && "typed" in answer ? (answer as Refused).typed : {};
}

/** Label, input, hint and the sentence of what is wrong, tied together for whoever cannot see that they are near. */
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

/** A line of text. What was typed and what was wrong with it come back by themselves after a refusal. */
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
}: Common & { place?: string; /** More than so many characters are too many; what is pasted is not cut. */ most?: number } & Omit<
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
 * One to be ticked, or one of several to choose from: what was chosen comes back after a refusal. Of a list (`days[]`)
 * only its last is known then.
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

/** For who has been signed out while they wrote: beside this page, which keeps what stands in it. */
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
 * What is wrong with the form, above it, with the way to each field; the focus goes here when it appears. `field`
 * names of this form only, where a page has several.
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
