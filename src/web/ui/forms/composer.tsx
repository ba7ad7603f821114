import type { ReactNode, SubmitEvent as Submitted } from "react";
import { Form } from "react-router";
import type { RejectedForm } from "../../request-context.ts";
import { DESIGN_TOKENS } from "../../tokens.ts";
import { PictureField } from "../../composer/picture-field.tsx";
import { isPreviewSubmit, TextPreview, PreviewButton } from "../../composer/text-preview.tsx";
import { TextLength } from "../../composer/text-length.tsx";
import { setFieldText } from "../../composer/set-field-text.ts";
import { ComposerField } from "../../composer/composer-field.tsx";
import { SubmitButton } from "./button.tsx";
import { SignInAgain } from "./form-fields.tsx";
import { useFormResult } from "./use-form-result.ts";

type ComposerProps = {
  /** Accessible name of the field, and the label of the button. */
  label: string;
  send: string;
  sending: string;
  /** Says who can read the text. */
  audience: ReactNode;
  most: number;
  /** The saved draft. */
  draft?: string;
  /** The intent that the form sends to the page's action. */
  intent: string;
  /** The draft target. */
  place?: string;
  /** Whether names in the text become mentions; suggestions are then offered. */
  allowsMentions?: boolean;
  /** Whether any file can be attached; otherwise only pictures can. */
  files?: boolean;
  /** Whether the page's action handles the button "Preview". */
  previews?: boolean;
  /**
   * With scripts, receives the form's values to send them in the background; the field is cleared
   * immediately.
   */
  onSend?: ((form: FormData) => void) | undefined;
  /** Whether the text can only be read and copied, but no longer sent. */
  closed?: boolean;
  /** More fields below the text. */
  more?: ReactNode;
  children?: ReactNode;
};

/** The form for writing texts. It works without scripts; ⌘ or Ctrl with Enter submits it. */
export function Composer({
  label,
  send,
  sending,
  audience,
  most,
  draft,
  intent,
  place,
  allowsMentions = false,
  files = false,
  closed = false,
  previews = false,
  onSend,
  more,
  children,
}: ComposerProps) {
  const id = `write-${intent}`;
  const answer = useFormResult<RejectedForm | undefined>();
  const typed = answer && "typed" in answer && answer.typed["intent"] === intent ? answer.typed : undefined;
  const refused = answer && "refused" in answer && answer.typed["intent"] === intent ? answer : undefined;
  const fault = refused?.refused.fields["body"] ?? refused?.refused.message;
  // Fields in `more` show their own errors, so those errors are excluded here.
  const atFault =
    refused !== undefined &&
    ("body" in refused.refused.fields || Object.keys(refused.refused.fields).length === 0);
  const sendAway = (event: Submitted<HTMLFormElement>) => {
    if (!onSend || isPreviewSubmit(event.nativeEvent)) return;
    event.preventDefault();
    // Only texts without a poll are sent in the background. A poll is submitted with the form, as without
    // scripts.
    if (fieldText(event.currentTarget, "pollOptions")) return event.currentTarget.submit();
    onSend(new FormData(event.currentTarget));
    const field = event.currentTarget.elements.namedItem("body");
    if (field instanceof HTMLTextAreaElement) setFieldText(field, "");
  };
  return (
    <Form
      method="post"
      encType={allowsMentions ? "multipart/form-data" : undefined}
      onSubmit={sendAway}
      className="panel p-3"
      preventScrollReset
      data-composer={intent}
      data-place={place}
    >
      <input type="hidden" name="intent" value={intent} />
      {children}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <ComposerField
        place={allowsMentions ? place : undefined}
        files={files}
        id={id}
        name="body"
        required
        rows={DESIGN_TOKENS.textareaRows}
        placeholder={label}
        defaultValue={typed?.["body"] ?? draft}
        autoFocus={fault !== undefined}
        readOnly={closed}
        aria-invalid={atFault || undefined}
        aria-describedby={`${id}-audience${fault ? ` ${id}-fault` : ""}`}
      />
      <TextLength fieldId={id} most={most} />
      {allowsMentions && <PictureField files={files} />}
      {more}
      {fault && (
        <p className="fault mt-1" role="alert" id={`${id}-fault`}>
          {fault}
          {allowsMentions && <SignInAgain reason={refused?.refused.reason} />}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <p className="hint" id={`${id}-audience`}>
          {audience}
        </p>
        <div className="flex flex-row-reverse flex-wrap items-center justify-end gap-2">
          <SubmitButton busy={sending} disabled={closed}>
            {send}
          </SubmitButton>
          {previews && <PreviewButton />}
        </div>
      </div>
      {previews && <TextPreview intent={intent} />}
    </Form>
  );
}

const fieldText = (form: HTMLFormElement, name: string) => {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLTextAreaElement && field.value.trim() !== "";
};
