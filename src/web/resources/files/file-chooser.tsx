import type { ReactNode } from "react";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";

type Props = {
  label: string;
  hint: ReactNode;
  accept: string;
  multiple?: boolean;
  required: boolean;
  chosen: (files: File[]) => void;
};

/** File input with drop area. With scripts, uploads start immediately and the input is cleared. */
export function FileChooser({ label, hint, accept, multiple = false, required, chosen }: Props) {
  const hydrated = useHydrated();
  return (
    <label className="panel grid justify-items-center gap-2 border-2 border-dashed p-8 text-center" data-drop>
      <i className="icon icon-upload size-7 text-quiet" />
      <span className="font-semibold">{label}</span>
      <input
        type="file"
        name="file"
        multiple={multiple}
        required={required}
        accept={accept}
        aria-describedby="files-hint"
        className="max-w-full"
        onChange={(event) => {
          if (!hydrated) return;
          chosen([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <span id="files-hint" className="hint">
        {hint}
      </span>
    </label>
  );
}
