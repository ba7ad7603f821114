import { Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Recent errors of extensions in this process. */
export function ExtensionErrors({ errors }: { errors: { at: Date; part: string; sentence: string }[] }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="mishaps" className="border-t border-line py-6">
      <h2 id="mishaps" className="mb-2 font-serif text-large font-semibold">
        {t("Recent errors")}
      </h2>
      {errors.length === 0 && <p className="text-quiet">{t("No errors since this process started.")}</p>}
      <ul>
        {errors.map(({ at, part, sentence }, i) => (
          <li key={i} className="border-b border-line py-2">
            <bdi dir="ltr" className="font-mono text-small font-semibold break-all">
              {part}
            </bdi>{" "}
            <span className="text-small text-quiet">
              <Time at={at} />
            </span>
            <p dir="auto" className="break-words">
              {sentence}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
