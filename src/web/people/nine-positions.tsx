import { useWords } from "../words/index.ts";

/** Which part of the picture is kept, where there are no scripts to show it. */
export function NinePositions() {
  const t = useWords();
  const rows = [
    [t("Top left"), t("At the top"), t("Top right")],
    [t("Left"), t("Middle"), t("Right")],
    [t("Bottom left"), t("Bottom"), t("Bottom right")],
  ];
  return (
    <fieldset>
      <legend className="label mb-2">{t("Which part to keep")}</legend>
      {/* Places in a picture are what they are: this grid does not turn round with the direction of reading. */}
      <div dir="ltr" className="grid w-fit grid-cols-3 gap-x-5 gap-y-2">
        {rows.flatMap((names, row) =>
          names.map((name, column) => (
            <label key={name} className="check">
              <input type="radio" name="position" value={`${column / 2},${row / 2}`} defaultChecked={row === 1 && column === 1} />
              <span dir="auto">{name}</span>
            </label>
          )),
        )}
      </div>
    </fieldset>
  );
}
