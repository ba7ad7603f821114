import { useTranslate } from "../../i18n/index.ts";
import { type CropSelection, CroppedPicture } from "./cropped-picture.tsx";

/**
 * Preview of a header, which has the same height on every screen: wide screens cut off top and bottom,
 * phones the sides.
 */
export function HeaderPreview({ part }: { part: CropSelection }) {
  const t = useTranslate();
  return (
    <div className="grid gap-3">
      <div>
        <p className="hint mb-1">{t("On wide screens")}</p>
        <HeaderBand part={part} className="h-36 w-full" />
      </div>
      <div>
        <p className="hint mb-1">{t("On phones. Your photo covers the lower left corner.")}</p>
        <HeaderBand part={part} className="h-36 w-full max-w-[22.5rem]" guide />
      </div>
    </div>
  );
}

const HeaderBand = ({
  part,
  className,
  guide = false,
}: {
  part: CropSelection;
  className: string;
  guide?: boolean;
}) => (
  <div aria-hidden className={`relative overflow-hidden rounded-panel bg-sunken ${className}`}>
    <CroppedPicture
      part={part}
      className="!absolute start-1/2 top-1/2 aspect-[3/1] -translate-x-1/2 -translate-y-1/2 rtl:translate-x-1/2"
      style={{ width: "max(100%, 27rem)" }}
    />
    {guide && (
      <span className="absolute -bottom-16 start-4 size-28 rounded-full border-4 border-paper bg-paper/70" />
    )}
  </div>
);
