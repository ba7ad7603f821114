import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useRef,
} from "react";
import type { RejectedForm } from "../../request-context.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { DESIGN_TOKENS } from "../../tokens.ts";
import { TextLength } from "../../composer/text-length.tsx";
import { ComposerField } from "../../composer/composer-field.tsx";
import { useFormResult } from "./use-form-result.ts";
import { findRejectedForm, isFormResult } from "./form-result.ts";

type FieldProps = { name: string; label: string; hint?: ReactNode; fault?: string };

/** Returns the result of this page's form if it was rejected. */
const useRejectedForm = () => findRejectedForm(useFormResult());

/** Returns the values of this page's form when it is shown again, after a rejection or for a preview. */
function useTypedValues(): Record<string, string> {
  const answer = useFormResult();
  return isFormResult<Pick<RejectedForm, "typed">>(answer, "typed") ? answer.typed : {};
}

/** Label, input, hint and error message, associated for assistive technology. */
export function Field({
  name,
  label,
  hint,
  fault,
  children,
}: FieldProps & {
  children: (fieldProps: {
    id: string;
    name: string;
    "aria-describedby"?: string;
    "aria-invalid"?: true;
  }) => ReactNode;
}) {
  const id = `field-${name.replace(/[^\w-]/g, "")}`;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        "aria-describedby": described || undefined,
        "aria-invalid": fault ? true : undefined,
      })}
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
}: FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "name">) {
  const refused = useRejectedForm();
  const typed = useTypedValues();
  return (
    <Field name={name} label={label} hint={hint} fault={fault ?? refused?.refused.fields[name]}>
      {(fieldProps) => (
        <input {...rest} {...fieldProps} defaultValue={typed[name] ?? defaultValue} className="input" />
      )}
    </Field>
  );
}

export function TextArea({
  name,
  label,
  hint,
  fault,
  defaultValue,
  rows = DESIGN_TOKENS.textareaRows,
  most,
  ...rest
}: FieldProps & {
  place?: string;
  /** Whether the text is Markdown. */
  markdown?: boolean;
  /** Maximum characters. A longer pasted text is not cut, but marked. */ most?: number;
} & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "name">) {
  const refused = useRejectedForm();
  const typed = useTypedValues();
  return (
    <Field name={name} label={label} hint={hint} fault={fault ?? refused?.refused.fields[name]}>
      {(fieldProps) => (
        <>
          <ComposerField {...rest} {...fieldProps} rows={rows} defaultValue={typed[name] ?? defaultValue} />
          {most !== undefined && <TextLength fieldId={fieldProps.id} most={most} />}
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
}: FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, "name">) {
  const refused = useRejectedForm();
  const typed = useTypedValues();
  return (
    <Field name={name} label={label} hint={hint} fault={fault ?? refused?.refused.fields[name]}>
      {(fieldProps) => (
        <select {...rest} {...fieldProps} defaultValue={typed[name] ?? defaultValue} className="input">
          {children}
        </select>
      )}
    </Field>
  );
}

/**
 * A checkbox or radio button, whose state is restored after a rejection. For lists (`days[]`), only the last
 * value can be restored.
 */
export function CheckField({
  name,
  label,
  hint,
  ...rest
}: FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "name">) {
  const typed = useTypedValues()[name];
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
 * Link to sign in in another tab, for people who were signed out while writing: this page keeps their text.
 */
export function SignInAgain({ reason }: { reason: string | undefined }) {
  const t = useTranslate();
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
 * Summary of the form's errors above the form, with a link to each field. The summary takes the focus when
 * it appears. On a page with several forms, `field` limits it to one form's fields.
 */
export function FormErrors() {
  const refused = useRejectedForm();
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
          <SignInAgain reason={refused.refused.reason} />
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
