import { type ComponentType, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { Button, Field, FormErrors, SubmitButton, TextArea } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { Size } from "./crop.ts";
import { CropTool } from "./crop-tool.tsx";
import { CropPositionGrid } from "./crop-position-grid.tsx";
import { PictureInputHints, useDropAndPaste } from "./picture-drop.tsx";
import { usePictureUpload } from "./use-picture-upload.ts";
import type { CropSelection } from "./cropped-picture.tsx";

type Props = {
  /** Size of the cropped picture in pixels. */
  shape: Size;
  alt: string;
  save: string;
  frame: "round" | "wide";
  /** Component that shows the crop as it will look. */
  Preview: ComponentType<{ part: CropSelection }>;
  /** URL for the background upload with scripts. */
  send?: string;
  /** Page to open after the background upload. */
  then?: string;
};

/** Chooses a picture and its crop. Without scripts the crop is one of nine positions beside the file. */
export function PictureForm({ shape, alt, save, frame, Preview, send, then }: Props) {
  const t = useTranslate();
  const scripts = useScripts();
  const [source, choose] = useObjectUrl();
  const [tooLarge, check] = useSizeCheck();
  const answer = useFormResult<RejectedForm | undefined>();
  const { share, faults, submit, cancel } = usePictureUpload(send, then);
  const fault =
    faults["picture"] ?? (answer && "refused" in answer ? answer.refused.fields["picture"] : undefined);
  const input = useRef<HTMLInputElement>(null);
  const { over, ...landing } = useDropAndPaste(input);
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className={`grid gap-5 rounded-panel ${over ? "outline-2 outline-offset-8 outline-accent outline-dashed" : ""}`}
      onSubmit={submit}
      {...landing}
    >
      <FormErrors />
      <Field
        name="picture"
        label={t("Choose a picture")}
        hint={t("JPEG, PNG, WebP or GIF, up to {most} MB. Location and camera data are removed.", {
          most: LIMITS.pictureBytes / 1_000_000,
        })}
        fault={tooLarge ?? fault}
      >
        {(fieldProps) => (
          <input
            {...fieldProps}
            ref={input}
            type="file"
            required
            accept="image/jpeg,image/png,image/webp,image/gif"
            className="input"
            onChange={({ currentTarget }) => choose(check(currentTarget))}
          />
        )}
      </Field>
      {scripts && <PictureInputHints input={input} />}
      {scripts ? (
        source && <CropTool key={source} source={source} shape={shape} frame={frame} Preview={Preview} />
      ) : (
        <CropPositionGrid />
      )}
      <TextArea
        name="alt"
        label={t("Alt text")}
        hint={t("Describes the picture for people who cannot see it. One sentence is enough.")}
        defaultValue={alt}
        fault={faults["alt"]}
        maxLength={LIMITS.alt}
        rows={2}
        style={{ minHeight: "4rem" }}
        dir="auto"
      />
      {share === null ? (
        <div>
          <SubmitButton name="intent" value="save" busy={t("Saving…")}>
            {save}
          </SubmitButton>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <progress
            className="bar max-w-sm flex-1"
            max={1}
            value={share}
            aria-label={t("Uploading the picture")}
          />
          <Button onClick={cancel}>{t("Cancel")}</Button>
        </div>
      )}
    </Form>
  );
}

/** Whether scripts run; false in the server's HTML. */
function useScripts() {
  const [run, setRun] = useState(false);
  useEffect(() => setRun(true), []);
  return run;
}

/** Rejects a picture that is too large before it is uploaded; returns the file if its size is allowed. */
function useSizeCheck() {
  const t = useTranslate();
  const locale = useLocale();
  const [sentence, setSentence] = useState<string | undefined>();
  const check = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    const fits = !file || file.size <= LIMITS.pictureBytes;
    const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(
      (file?.size ?? 0) / 1_000_000,
    );
    const words = fits
      ? undefined
      : t("“{name}” has {size} MB. A picture can have {most} MB at most.", {
          name: file.name,
          size,
          most: LIMITS.pictureBytes / 1_000_000,
        });
    input.setCustomValidity(words ?? "");
    setSentence(words);
    return fits ? file : undefined;
  };
  return [sentence, check] as const;
}

/** Object URL of the chosen file, revoked when another file is chosen. */
function useObjectUrl() {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => () => void (source && URL.revokeObjectURL(source)), [source]);
  const choose = (file: File | undefined) =>
    setSource(file?.type.startsWith("image/") ? URL.createObjectURL(file) : null);
  return [source, choose] as const;
}
