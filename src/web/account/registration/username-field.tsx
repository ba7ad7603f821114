import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { LIMITS } from "#community/rules";
import { Field } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

type Props = { name: string; typed: string | undefined; fault: string | undefined };

/**
 * Field for the user name, filled with a suggestion from the display name until the person types another
 * one. If it is empty, the server chooses a name.
 */
export function UsernameField({ name, typed, fault }: Props) {
  const t = useTranslate();
  const fetcher = useFetcher<{ suggestion?: string }>();
  const [own, setOwn] = useState(typed ?? "");
  const [touched, setTouched] = useState(Boolean(typed));
  const asked = useRef("");
  const input = useRef<HTMLInputElement>(null);
  // Input typed before hydration counts too.
  useEffect(() => {
    const early = input.current?.value ?? "";
    if (early === "") return;
    setOwn(early);
    setTouched(true);
  }, []);
  useEffect(() => {
    if (touched || name.trim() === "" || asked.current === name) return;
    const timer = setTimeout(() => {
      asked.current = name;
      void fetcher.load(urls.register({ suggest: name }));
    }, 400);
    return () => clearTimeout(timer);
  }, [name, touched, fetcher]);
  const value = touched ? own : (fetcher.data?.suggestion ?? own);
  return (
    <Field
      name="username"
      label={t("Username")}
      fault={fault}
      hint={t(
        "For mentions: 3 to 20 letters from a to z, digits, dots, dashes and underscores. Optional; we suggest one.",
      )}
    >
      {(tie) => (
        <input
          {...tie}
          ref={input}
          value={value}
          onChange={(event) => {
            setTouched(event.target.value !== "");
            setOwn(event.target.value);
          }}
          maxLength={LIMITS.username.max}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          className="input"
        />
      )}
    </Field>
  );
}
