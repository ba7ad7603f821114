import type { Crop } from "#platform/images";
import { behindFrame, type Size } from "./crop.ts";

/** A part of a picture that has been chosen but not sent yet. */
export type Part = { source: string; crop: Crop; picture: Size; shape: Size };

/** Shows just that part. Decoration: what it is stands beside it. */
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
