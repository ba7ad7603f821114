import type { FormEvent } from "react";
import { Form, useFetcher } from "react-router";
import { ActionForm } from "../../../people/action-form.tsx";
import { SubmitButton, Tag, TextField, Time } from "../../../ui/index.ts";
import { useTranslate } from "../../../i18n/index.ts";
import { AccountFormErrors } from "../../account-form-errors.tsx";
import { findRejectedForm } from "../../../ui/forms/form-result.ts";
import { PasswordField } from "../../password-field.tsx";
import { PasskeyErrorNotice } from "../../passkeys/passkey-error.tsx";
import { useHasPasskeys, usePasskey } from "../../passkeys/use-passkey.ts";
import type { SettingsSectionProps } from "../settings-data.ts";
import { fieldError } from "../settings-form.tsx";

type Key = SettingsSectionProps<"security">["data"]["passkeys"][number];

/** Passkeys of this account. Adding one needs scripts; managing them does not. */
export function PasskeysSettings(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  const { passkeys, supportsPasskeys, saved } = part.data;
  const given = findRejectedForm(part.answer)?.typed["intent"] === "remove-passkey";
  return (
    <>
      <p className="text-quiet">
        {t(
          "A passkey stays on your device and opens with your fingerprint, face or device code. It " +
            "signs you in without password or second factor.",
        )}
      </p>
      {given && <AccountFormErrors answer={part.answer} />}
      <p role="status" className="text-accent empty:hidden">
        {saved === "add-passkey" && t("The passkey was added.")}
        {saved === "remove-passkey" && t("The passkey was removed. Delete it on your device too.")}
      </p>
      {passkeys.length > 0 && (
        <ul className="border-t border-line">
          {passkeys.map((key) => (
            <PasskeyRow key={key.id} it={key} {...part} />
          ))}
        </ul>
      )}
      {supportsPasskeys ? (
        <AddPasskey key={passkeys.length} {...part} />
      ) : (
        <p>{t("Passkeys do not work at this address: they need a domain name and https.")}</p>
      )}
    </>
  );
}

function PasskeyRow({ it, answer }: SettingsSectionProps<"security"> & { it: Key }) {
  const t = useTranslate();
  const typed = findRejectedForm(answer)?.typed;
  const prefix = `rename-${it.id}`;
  const renames = typed?.["intent"] === "rename-passkey" && typed["id"] === it.id;
  return (
    <li className="border-b border-line py-2.5">
      <div className="flex flex-wrap items-center gap-3">
        <i className="icon icon-key-round size-5 flex-none text-quiet" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold break-words">
            <span dir="auto">{it.name}</span> {!it.here && <Tag>{t("For another address")}</Tag>}
          </p>
          <p className="text-small text-quiet">
            {t("Added")} <Time at={it.addedAt} /> · {it.usedAt ? t("last used") : t("not used yet")}{" "}
            {it.usedAt && <Time at={it.usedAt} />}
          </p>
          {!it.here && (
            <p className="text-small">
              {t(
                "This passkey was created for {address} and does not work here. Remove it and add a new " +
                  "passkey.",
                {
                  address: it.party,
                },
              )}
            </p>
          )}
        </div>
        <ActionForm
          intent="remove-passkey"
          fields={{ id: it.id }}
          busy={t("Removing…")}
          label={t("Remove passkey “{name}”", { name: it.name })}
        >
          {t("Remove")}
        </ActionForm>
      </div>
      <details open={renames || undefined} className="mt-1">
        <summary
          className="text-small text-accent"
          aria-label={t("Rename passkey “{name}”", { name: it.name })}
        >
          {t("Rename")}
        </summary>
        <Form method="post" preventScrollReset className="mt-3 grid gap-4">
          <input type="hidden" name="intent" value="rename-passkey" />
          <input type="hidden" name="id" value={it.id} />
          {renames && <AccountFormErrors answer={answer} />}
          <NameField
            name={`${prefix}-name`}
            defaultValue={it.name}
            fault={fieldError(answer, `${prefix}-name`)}
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
          </div>
        </Form>
      </details>
    </li>
  );
}

function NameField(props: { name: string; defaultValue?: string; fault: string | undefined }) {
  const t = useTranslate();
  return (
    <TextField
      {...props}
      label={t("Name of the passkey")}
      required
      maxLength={60}
      autoComplete="off"
      dir="auto"
    />
  );
}

function AddPasskey({ data }: SettingsSectionProps<"security">) {
  const t = useTranslate();
  const fetcher = useFetcher<unknown>();
  const has = useHasPasskeys();
  const { fault, busy, start } = usePasskey({ fetcher, begin: "begin-passkey", finish: "add-passkey" });
  if (has === null)
    return (
      <noscript>
        <p>{t("Adding a passkey needs JavaScript in your browser.")}</p>
      </noscript>
    );
  if (!has) return <p>{t("This browser does not support passkeys.")}</p>;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    start(
      { "add-passkey-name": text("add-passkey-name") },
      { "add-passkey-proof": text("add-passkey-proof") },
    );
  };
  const proves = data.account.hasPassword || data.account.secondStep || data.account.passkeyStep;
  return (
    <Form method="post" className="grid grid-cols-1 gap-4" onSubmit={add}>
      <h3 className="text-base font-semibold">{t("Add a passkey")}</h3>
      <AccountFormErrors answer={fetcher.data} />
      <PasskeyErrorNotice fault={fault} />
      <NameField
        name="add-passkey-name"
        defaultValue={t("This device")}
        fault={fieldError(fetcher.data, "add-passkey-name")}
      />
      {proves && (
        <PasswordField
          name="add-passkey-proof"
          label={t("Password or code")}
          autoComplete="current-password"
          fault={fieldError(fetcher.data, "add-passkey-proof")}
        />
      )}
      <div>
        <SubmitButton busy={t("One moment…")} aria-disabled={busy || undefined}>
          {busy ? t("One moment…") : t("Add a passkey")}
        </SubmitButton>
      </div>
    </Form>
  );
}
