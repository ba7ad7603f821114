import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../ui/forms/button.tsx";
import { useTranslate } from "../../i18n/index.ts";
import { LINK_ADDRESS } from "./schema.ts";

type LinkFormProps = {
  /** Address of the link at the caret, or empty. */
  address: string;
  /** Places the form beside the caret. */
  place: (box: HTMLElement | null) => void;
  apply: (address: string) => void;
  close: () => void;
};

/** Asks for the address of a link. It is part of the text's form, so it is no form of its own. */
export function LinkForm({ address, place, apply, close }: LinkFormProps) {
  const t = useTranslate();
  const id = useId();
  const [typed, setTyped] = useState(address);
  const [isInvalid, setInvalid] = useState(false);
  const submit = () => {
    const written = typed.trim();
    const href = /^[\w-]+(\.[\w-]+)+([/?#]\S*)?$/.test(written) ? `https://${written}` : written;
    if (href !== "" && (!LINK_ADDRESS.test(href) || /[\s<>\\]/.test(href))) return setInvalid(true);
    apply(href);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter") submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="group" aria-label={t("Link")} className="call-list link-form" ref={place}>
      <div className="field">
        <label htmlFor={id}>{t("Address")}</label>
        <input
          id={id}
          className="input"
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          autoFocus
          placeholder="https://"
          value={typed}
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? `${id}-fault` : undefined}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKey}
        />
        {isInvalid && (
          <p className="fault" role="alert" id={`${id}-fault`}>
            {t("Enter an address that starts with https://.")}
          </p>
        )}
      </div>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button kind="primary" onClick={submit}>
          {t("Apply")}
        </Button>
        {address !== "" && <Button onClick={() => apply("")}>{t("Remove link")}</Button>}
        <Button onClick={close}>{t("Cancel")}</Button>
      </p>
    </div>
  );
}
