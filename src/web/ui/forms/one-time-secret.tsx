import { useEffect, useRef, useState } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { Button } from "./button.tsx";

type SecretOnceProps = { title: string; hint: string; secret: string; copy: string };

/** A secret that is shown only once. With scripts it can be copied with a button. */
export function OneTimeSecret({ title, hint, secret, copy }: SecretOnceProps) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    setReady(true);
    box.current?.focus();
  }, []);
  const copySecret = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
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
      {ready && (
        <div className="mt-3">
          <Button onClick={() => void copySecret()}>
            {copied ? <i className="icon icon-check size-4" /> : <i className="icon icon-copy size-4" />}
            {copied ? t("Copied") : copy}
          </Button>
        </div>
      )}
    </div>
  );
}
