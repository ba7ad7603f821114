import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/index.ts";
import { useTranslate } from "../../../i18n/index.ts";

/** A new token, shown only once. With scripts it can be copied with a button. */
export function CreatedToken({ name, token }: { name: string; token: string }) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    setReady(true);
    box.current?.focus();
  }, []);
  const copy = async () => {
    await navigator.clipboard.writeText(token);
    setCopied(true);
  };
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-labelledby="created-token-title"
      className="notice block"
      data-tone="good"
    >
      <h3 id="created-token-title" className="text-base font-semibold break-words" dir="auto">
        {t("Token “{name}” was created", { name })}
      </h3>
      <p className="mt-1">
        {t("Copy it now: it is shown only once. Whoever has it acts as you within its scopes.")}
      </p>
      <p className="mt-3 font-mono text-small break-all" dir="ltr">
        <code data-created-token>{token}</code>
      </p>
      {ready && (
        <div className="mt-3">
          <Button onClick={() => void copy()}>
            {copied ? <i className="icon icon-check size-4" /> : <i className="icon icon-copy size-4" />}
            {copied ? t("Copied") : t("Copy token")}
          </Button>
        </div>
      )}
    </div>
  );
}
