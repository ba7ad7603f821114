import { useId, useState } from "react";
import { Button } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** A slider with a number input; both are disabled if there is only one possible value. */
export function CropSlider({
  name,
  label,
  dir,
  value,
  min,
  max,
  set,
}: {
  name: string;
  label: string;
  /** Set for horizontal positions in a picture, which are the same in right-to-left pages. */
  dir?: "ltr";
  value: number;
  min: number;
  max: number;
  set: (value: number) => void;
}) {
  const t = useTranslate();
  const id = useId();
  const fixed = max - min < 0.001;
  // The typed text, which may be out of range for a moment: "4" on the way to "40".
  const [typing, setTyping] = useState<string | null>(null);
  const typed = (text: string) => {
    setTyping(text);
    if (text !== "" && Number(text) >= min * 100 && Number(text) <= max * 100) set(Number(text) / 100);
  };
  const step = (max - min) / 20;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 phone:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <label htmlFor={id} className="col-span-2 phone:col-span-1">
        {label}
      </label>
      <input type="hidden" name={name} value={value.toFixed(4)} />
      <span dir={dir} className="flex min-w-0 items-center gap-1">
        <Button
          kind="quiet"
          aria-label={t("{label}: less", { label })}
          disabled={fixed}
          onClick={() => set(value - step)}
        >
          <i className="icon icon-minus size-4" />
        </Button>
        <input
          type="range"
          aria-label={label}
          value={value}
          min={min}
          max={max}
          step="any"
          disabled={fixed}
          onChange={(event) => set(event.currentTarget.valueAsNumber)}
          className="min-w-0 flex-1 accent-accent"
        />
        <Button
          kind="quiet"
          aria-label={t("{label}: more", { label })}
          disabled={fixed}
          onClick={() => set(value + step)}
        >
          <i className="icon icon-plus size-4" />
        </Button>
      </span>
      <span className="flex items-center gap-1">
        <input
          id={id}
          type="number"
          inputMode="numeric"
          value={typing ?? Math.round(value * 100)}
          min={Math.floor(min * 100)}
          max={Math.ceil(max * 100)}
          disabled={fixed}
          onChange={(event) => typed(event.currentTarget.value)}
          onBlur={() => setTyping(null)}
          className="input w-20"
        />{" "}
        %
      </span>
    </div>
  );
}
