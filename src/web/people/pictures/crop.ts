import type { Crop } from "#platform/images";

export type Size = { width: number; height: number };
export const CENTERED_CROP: Crop = { x: 0.5, y: 0.5, zoom: 1 };
export const MAX_ZOOM = 5;
/** How far an arrow key moves the crop, as a share of the picture. */
const STEP = 0.02;

/** The cropped share of the picture's width and height. */
function cropShare(picture: Size, size: Size, zoom: number) {
  const fit = Math.min(picture.width / size.width, picture.height / size.height) / zoom;
  return { x: (size.width * fit) / picture.width, y: (size.height * fit) / picture.height };
}

/**
 * Range for the center of the crop, as shares of the picture: outside it, the crop would exceed the picture.
 */
export function cropRange(picture: Size, size: Size, zoom: number) {
  const share = cropShare(picture, size, zoom);
  return { x: { min: share.x / 2, max: 1 - share.x / 2 }, y: { min: share.y / 2, max: 1 - share.y / 2 } };
}

/** Returns the nearest crop that is inside the picture. */
export function clampCrop(crop: Crop, picture: Size, size: Size): Crop {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, crop.zoom));
  const { x, y } = cropRange(picture, size, zoom);
  return { x: Math.min(x.max, Math.max(x.min, crop.x)), y: Math.min(y.max, Math.max(y.min, crop.y)), zoom };
}

/** Position of the picture behind a frame of the given shape, so that the frame shows exactly the crop. */
export function framePosition(crop: Crop, picture: Size, size: Size) {
  const share = cropShare(picture, size, crop.zoom);
  const percent = (value: number) => `${(value * 100).toFixed(3)}%`;
  return {
    width: percent(1 / share.x),
    height: percent(1 / share.y),
    left: percent((share.x / 2 - crop.x) / share.x),
    top: percent((share.y / 2 - crop.y) / share.y),
  };
}

/** Moves or resizes a crop by a key press; null if the key has no effect. */
export function cropForKey(crop: Crop, key: string): Crop | null {
  const step = STEP / crop.zoom;
  if (key === "ArrowLeft") return { ...crop, x: crop.x - step };
  if (key === "ArrowRight") return { ...crop, x: crop.x + step };
  if (key === "ArrowUp") return { ...crop, y: crop.y - step };
  if (key === "ArrowDown") return { ...crop, y: crop.y + step };
  if (key === "+" || key === "=") return { ...crop, zoom: crop.zoom * 1.1 };
  if (key === "-" || key === "_") return { ...crop, zoom: crop.zoom / 1.1 };
  return null;
}
