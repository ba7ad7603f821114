import type { Crop } from "#platform/images";
import { behindFrame, type Size } from "./crop.ts";

/** Crop of a picture that was chosen but not uploaded yet. */
export type Part = { source: string; crop: Crop; picture: Size; shape: Size };

/** Shows just the crop. Decorative: its description is beside it. */
export const PicturePart = ({
  part: { source, crop, picture, shape },
  className = "",
  style,
}: {
  part: Part;
  className?: string;
  style?: React.CSSProperties;
}) => (
  <span aria-hidden className={`relative block flex-none overflow-hidden bg-sunken ${className}`} style={style}>
    <img src={source} alt="" draggable={false} className="absolute max-w-none" style={behindFrame(crop, picture, shape)} />
  </span>
);
