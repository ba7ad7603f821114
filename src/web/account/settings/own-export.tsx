import { Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useLocale, useWords } from "../../words/index.ts";
import type { PartProps } from "../settings.tsx";
import { SettingsForm } from "./settings-form.tsx";

/** Everything of one's own as one file: asked for here, made in the background, fetched here. */
export function OwnExport(part: PartProps) {
  const t = useWords();
  const locale = useLocale();
  const { ownExport } = part.data;
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.max(0.1, (ownExport?.size ?? 0) / 1_000_000));
  return (
    <>
      <p>
        {t(
          "What you said of yourself, wrote, sent, chose and uploaded, as a zip of plain files. What others wrote is not in it. It takes a few minutes; a mail says when it is there.",
        )}
      </p>
      {ownExport?.readyAt && (
        <p>
          <a href={urls.ownExport(ownExport.id)} download>
            {t("Fetch your data ({size} MB)", { size })}
          </a>{" "}
          <span className="text-quiet">
            <Rich
              text="made <0></0>, to be had until <1></1>"
              parts={[<Time at={ownExport.readyAt} />, <Time at={ownExport.expiresAt} />]}
            />
          </span>
        </p>
      )}
      {ownExport && !ownExport.readyAt ? (
        <p role="status" className="text-quiet">
          {t("Your data is being put together. You can leave this page.")}
        </p>
      ) : (
        <SettingsForm {...part} intent="export" kind="plain" save={t("Put my data together")} busy={t("Asking…")} saved={t("Asked for.")}>
          {ownExport?.readyAt ? <p className="hint">{t("A new one takes the place of the one above.")}</p> : null}
        </SettingsForm>
      )}
    </>
  );
}
