import { Form } from "react-router";
import { Notice, SubmitButton, Time } from "../../../ui/index.ts";
import { urls } from "../../../urls.ts";
import { useTranslate } from "../../../i18n/index.ts";
import { AccountFormErrors } from "../../account-form-errors.tsx";
import { findRejectedForm } from "../../../ui/forms/form-result.ts";
import { providerName } from "../../providers/provider-buttons.tsx";
import type { SettingsSectionProps } from "../settings-data.ts";

/** Sign-in providers linked to this account. */
export function LinkedProviders({ data, answer }: SettingsSectionProps<"security">) {
  const t = useTranslate();
  const { account, providers, saved } = data;
  const names = [...new Set([...providers, ...account.providers.map(({ provider }) => provider)])];
  return (
    <>
      {data.trouble && <ProviderErrorNotice why={data.trouble} />}
      {findRejectedForm(answer)?.typed["intent"] === "unlink" && <AccountFormErrors answer={answer} />}
      <p role="status" className="text-accent empty:hidden">
        {saved === "providers" && t("Connected.")}
        {saved === "unlink" && t("Disconnected.")}
      </p>
      <ul className="border-t border-line">
        {names.map((name) => {
          const linked = account.providers.find(({ provider }) => provider === name);
          return (
            <li
              key={name}
              className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-2.5"
            >
              <div className="min-w-0">
                <p className="font-semibold">{providerName(name)}</p>
                <p className="text-small text-quiet">
                  {linked ? (
                    <>
                      {t("Connected")} <Time at={linked.linkedAt} />
                      {linked.email && ` · ${linked.email}`}
                    </>
                  ) : (
                    t("Not connected")
                  )}
                </p>
              </div>
              {linked ? (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="intent" value="unlink" />
                  <SubmitButton kind="plain" busy={t("Disconnecting…")} name="provider" value={name}>
                    {t("Disconnect")}
                  </SubmitButton>
                </Form>
              ) : (
                <a href={urls.signInWith(name, { link: "1" })} className="button">
                  {t("Connect")}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function ProviderErrorNotice({ why }: { why: string }) {
  const t = useTranslate();
  if (why === "conflict")
    return <Notice tone="bad">{t("That account is already connected to another member.")}</Notice>;
  if (why === "unavailable")
    return (
      <Notice tone="bad">
        {t("The sign-in provider isn't responding. Try again in a minute, or sign in another way.")}
      </Notice>
    );
  return <Notice tone="bad">{t("This sign-in was not started in this browser. Start again.")}</Notice>;
}
