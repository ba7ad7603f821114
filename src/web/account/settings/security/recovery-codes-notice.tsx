import { useEffect, useRef } from "react";
import { Button, useRootData } from "../../../ui/index.ts";
import { useClipboard } from "../../../ui/hooks/use-clipboard.ts";
import { useHydrated } from "../../../ui/hooks/use-hydrated.ts";
import { useTranslate } from "../../../i18n/index.ts";

/** Recovery codes, shown only once. With scripts they can be copied or printed. */
export function RecoveryCodesNotice({ codes }: { codes: string[] }) {
  const t = useTranslate();
  const { community, me } = useRootData();
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const { copied, copy } = useClipboard();
  useEffect(() => box.current?.focus(), []);
  const text = `${community.name}, @${me?.username ?? ""}\n${codes.join("\n")}\n`;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-labelledby="codes-title"
      className="notice block"
      data-tone="good"
    >
      <h3 id="codes-title" className="text-base font-semibold">
        {t("Recovery codes")}
      </h3>
      <p className="mt-1">
        {t(
          "Each code signs you in once if your phone is not at hand. They are shown only now: keep " +
            "them apart from your phone.",
        )}
      </p>
      <ul className="mt-3 grid grid-cols-1 gap-x-6 gap-y-1 font-mono text-small phone:grid-cols-2" dir="ltr">
        {codes.map((code) => (
          <li key={code} data-recovery-code>
            {code}
          </li>
        ))}
      </ul>
      {hydrated && (
        <div className="mt-3 flex flex-wrap gap-2 print:hidden">
          {copy && (
            <Button onClick={() => copy(text)}>
              {copied ? <i className="icon icon-check size-4" /> : <i className="icon icon-copy size-4" />}
              {copied ? t("Copied") : t("Copy codes")}
            </Button>
          )}
          <Button onClick={() => window.print()}>
            <i className="icon icon-printer size-4" />
            {t("Print codes")}
          </Button>
        </div>
      )}
    </div>
  );
}
