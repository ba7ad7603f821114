import { useEffect, useRef } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { useClipboard } from "../hooks/use-clipboard.ts";
import { Button } from "./button.tsx";

type OneTimeSecretProps = { title: string; hint: string; secret: string; copyLabel: string };

/** A secret that is shown only once. With scripts it can be copied with a button. */
export function OneTimeSecret({ title, hint, secret, copyLabel }: OneTimeSecretProps) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const { copied, copy } = useClipboard();
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-labelledby="secret-title"
      className="notice block"
      data-tone="good"
    >
      <p id="secret-title" className="text-base font-semibold break-words" dir="auto">
        {title}
      </p>
      <p className="mt-1">{hint}</p>
      <p className="mt-3 font-mono text-small break-all" dir="ltr">
        <code data-secret>{secret}</code>
      </p>
      {copy && (
        <div className="mt-3">
          <Button onClick={() => copy(secret)}>
            {copied ? <i className="icon icon-check size-4" /> : <i className="icon icon-copy size-4" />}
            {copied ? t("Copied") : copyLabel}
          </Button>
        </div>
      )}
    </div>
  );
}
