import { HeaderPicture } from "../ui/index.ts";
import { backgroundNames } from "../ui/pictures/background-names.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";

/** Field for the background of the group's header, used until the group has a picture. */
export function BackgroundField() {
  const t = useTranslate();
  const chosen = useFormResult<RejectedForm | undefined>()?.typed["headerStyle"] ?? "meadow";
  return (
    <fieldset>
      <legend className="label mb-2">{t("Cover")}</legend>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-4">
        {Object.entries(backgroundNames(t)).map(([style, name]) => (
          <label
            key={style}
            className="grid min-w-0 cursor-pointer gap-1.5 rounded-panel border border-line p-1.5
              has-checked:border-accent has-checked:bg-accent-soft"
          >
            <HeaderPicture headerId={null} style={style} className="h-12" />
            <span className="flex flex-wrap items-center gap-x-2 px-0.5 text-small">
              <input
                type="radio"
                name="headerStyle"
                value={style}
                defaultChecked={style === chosen}
                className="accent-accent"
              />
              {name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
