import { useTranslate } from "../../i18n/index.ts";
import { type CropSelection, CroppedPicture } from "./cropped-picture.tsx";

/** Preview of a photo in its sizes on the profile, beside posts and in lists. */
export function PhotoPreview({ part }: { part: CropSelection }) {
  const t = useTranslate();
  return (
    <div>
      <p className="hint mb-2">{t("Preview")}</p>
      <div className="flex flex-wrap items-end gap-4">
        {[112, 64, 32].map((size) => (
          <CroppedPicture
            key={size}
            part={part}
            className="rounded-full"
            style={{ width: size, height: size }}
          />
        ))}
      </div>
    </div>
  );
}
