import { useTranslate } from "../../i18n/index.ts";

/** Chooses the visible part of the picture without scripts. */
export function CropPositionGrid() {
  const t = useTranslate();
  const rows = [
    [t("Top left"), t("Top"), t("Top right")],
    [t("Left"), t("Middle"), t("Right")],
    [t("Bottom left"), t("Bottom"), t("Bottom right")],
  ];
  return (
    <fieldset>
      <legend className="label mb-2">{t("Choose the visible part")}</legend>
      {/* Positions in a picture do not mirror with the reading direction. */}
      <div dir="ltr" className="grid w-fit grid-cols-3 gap-x-5 gap-y-2">
        {rows.flatMap((names, row) =>
          names.map((name, column) => (
            <label key={name} className="check">
              <input
                type="radio"
                name="position"
                value={`${column / 2},${row / 2}`}
                defaultChecked={row === 1 && column === 1}
              />
              <span dir="auto">{name}</span>
            </label>
          )),
        )}
      </div>
    </fieldset>
  );
}
