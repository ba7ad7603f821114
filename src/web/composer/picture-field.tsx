import { LIMITS } from "#community/rules";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import { useTranslate } from "../i18n/index.ts";

/**
 * A file input for browsers without scripts, submitted with the form: one picture, or any file if `files` is
 * set. With scripts the text field above accepts pictures.
 */
export function PictureField({ files = false }: { files?: boolean }) {
  const t = useTranslate();
  if (useHydrated()) return null;
  return (
    <details className="mt-2" data-picture-field>
      <summary className="text-small">{files ? t("Add picture or file") : t("Add picture")}</summary>
      <label className="field mt-1">
        <span className="label">
          {files
            ? t("Picture or file (at most 10 MB)")
            : t("Picture (JPEG, PNG, WebP or GIF, at most 10 MB)")}
        </span>
        <input
          type="file"
          name="picture"
          accept={files ? undefined : "image/jpeg,image/png,image/webp,image/gif,image/avif"}
        />
      </label>
      <label className="field mt-1">
        <span className="label">{t("Alt text")}</span>
        <input
          type="text"
          name="pictureWords"
          className="input"
          dir="auto"
          maxLength={LIMITS.alt}
          autoComplete="off"
        />
      </label>
    </details>
  );
}
