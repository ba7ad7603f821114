import type { Crop } from "#platform/images";
import { framePosition, type Size } from "./crop.ts";

/** Crop of a picture that was chosen but not uploaded yet. */
export type CropSelection = { source: string; crop: Crop; picture: Size; shape: Size };

/** Shows exactly the crop. It is decorative, since its description is beside it. */
export const CroppedPicture = ({
  part: { source, crop, picture, shape },
  className = "",
  style,
}: {
  part: CropSelection;
  className?: string;
  style?: React.CSSProperties;
}) => (
  <span
    aria-hidden
    className={`relative block flex-none overflow-hidden bg-sunken ${className}`}
    style={style}
  >
    <img
      src={source}
      alt=""
      draggable={false}
      className="absolute max-w-none"
      style={framePosition(crop, picture, shape)}
    />
  </span>
);
