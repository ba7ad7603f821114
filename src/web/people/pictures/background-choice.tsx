import { Form } from "react-router";
import { HeaderPicture, SubmitButton } from "../../ui/index.ts";
import { backgroundNames } from "../../ui/pictures/background-names.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Choice of eight backgrounds. A chosen background replaces the picture. */
export function BackgroundChoice({ styles, chosen }: { styles: readonly string[]; chosen: string }) {
  const t = useTranslate();
  const names = backgroundNames(t);
  return (
    <Form method="post" className="border-t border-line pt-5">
      <fieldset>
        <legend className="mb-3 text-large font-semibold">{t("Background")}</legend>
        <div className="grid grid-cols-2 gap-3 phone:grid-cols-4">
          {styles.map((style) => (
            <label key={style} className="grid gap-1.5">
              <HeaderPicture headerId={null} style={style} className="h-14" />
              <span className="check items-center">
                <input
                  type="radio"
                  name="style"
                  value={style}
                  defaultChecked={style === chosen}
                  className="mt-0"
                />
                {names[style] ?? style}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <p className="hint mt-3">{t("A background replaces the picture.")}</p>
      <div className="mt-3">
        <SubmitButton kind="plain" name="intent" value="set-background" busy={t("Saving…")}>
          {t("Use background")}
        </SubmitButton>
      </div>
    </Form>
  );
}
