import { type ComponentType, type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import type { Crop } from "#platform/images";
import { useTranslate } from "../../i18n/index.ts";
import { CropSlider } from "./crop-slider.tsx";
import { CENTERED_CROP, MAX_ZOOM, cropForKey, cropRange, clampCrop, type Size } from "./crop.ts";
import { type CropSelection, CroppedPicture } from "./cropped-picture.tsx";

type Props = {
  source: string;
  shape: Size;
  frame: "round" | "wide";
  Preview: ComponentType<{ part: CropSelection }>;
};

/** Crops a picture by keyboard, by sliders or by dragging. */
export function CropTool({ source, shape, frame, Preview }: Props) {
  const t = useTranslate();
  const [picture, setPicture] = useState<Size | null>(null);
  const [crop, setCrop] = useState<Crop>(CENTERED_CROP);
  const change = (next: Crop) => picture && setCrop(clampCrop(next, picture, shape));
  const part = picture && { source, crop, picture, shape };
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <legend className="label mb-2">{t("Choose the visible part")}</legend>
      {!picture && (
        <img
          src={source}
          alt=""
          className="sr-only"
          onLoad={({ currentTarget }) =>
            setPicture({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
        />
      )}
      {part && (
        <>
          <CropFrame part={part} frame={frame} change={change} />
          <Sliders part={part} change={change} />
          <Preview part={part} />
        </>
      )}
    </fieldset>
  );
}

type CropControlProps = { part: CropSelection; change: (crop: Crop) => void };

/** The frame handles keys: arrows move the crop, plus and minus zoom. */
function CropFrame({ part, frame, change }: CropControlProps & { frame: Props["frame"] }) {
  const t = useTranslate();
  const hint = useId();
  const { crop } = part;
  const onKey = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : cropForKey(crop, event.key);
    if (!next) return;
    event.preventDefault();
    change(next);
  };
  return (
    <div>
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the arrow keys move the frame */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- the arrow keys move the frame */}
      <div
        tabIndex={0}
        role="application"
        aria-roledescription={t("Frame")}
        aria-label={t("Visible part")}
        aria-describedby={hint}
        onKeyDown={onKey}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => drag(event, part, change)}
        className={`relative touch-none cursor-move rounded-panel
          ${frame === "round" ? "size-52" : "aspect-[3/1] w-full"}`}
      >
        <CroppedPicture
          part={part}
          className={`size-full ${frame === "round" ? "rounded-full" : "rounded-panel"}`}
        />
        {frame === "wide" && <span aria-hidden className="safe-area" />}
      </div>
      {/* oxlint-enable */}
      {frame === "wide" && (
        <p className="hint mt-2">
          {t("The dashed area is visible on every screen; the photo covers its lower corner.")}
        </p>
      )}
      <p id={hint} className="hint mt-2">
        {t("Arrow keys move the frame, + and − zoom. Dragging and the sliders below do the same.")}
      </p>
    </div>
  );
}

function drag(
  event: PointerEvent<HTMLDivElement>,
  { crop, picture, shape }: CropSelection,
  change: CropControlProps["change"],
) {
  if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
  const box = event.currentTarget.getBoundingClientRect();
  const { x, y } = cropRange(picture, shape, crop.zoom);
  // The picture moves with the pointer: a movement by the frame's width moves the crop by the crop's own
  // width.
  change({
    ...crop,
    x: crop.x - (event.movementX / box.width) * 2 * x.min,
    y: crop.y - (event.movementY / box.height) * 2 * y.min,
  });
}

function Sliders({ part: { crop, picture, shape }, change }: CropControlProps) {
  const t = useTranslate();
  const { x, y } = cropRange(picture, shape, crop.zoom);
  return (
    <div className="grid max-w-md gap-3">
      <CropSlider
        name="x"
        dir="ltr"
        label={t("Horizontal")}
        value={crop.x}
        {...x}
        set={(value) => change({ ...crop, x: value })}
      />
      <CropSlider
        name="y"
        label={t("Vertical")}
        value={crop.y}
        {...y}
        set={(value) => change({ ...crop, y: value })}
      />
      <CropSlider
        name="zoom"
        label={t("Zoom")}
        value={crop.zoom}
        min={1}
        max={MAX_ZOOM}
        set={(value) => change({ ...crop, zoom: value })}
      />
    </div>
  );
}
