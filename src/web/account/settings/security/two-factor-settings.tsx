import { Field, Notice } from "../../../ui/index.ts";
import { useTranslate } from "../../../i18n/index.ts";
import { PasswordField } from "../../password-field.tsx";
import type { SettingsSectionProps } from "../settings-data.ts";
import { RecoveryCodesNotice } from "./recovery-codes-notice.tsx";
import { findRejectedForm, isFormResult } from "../../../ui/forms/form-result.ts";
import { fieldError, SettingsForm } from "../settings-form.tsx";

type TotpEnrolment = { secret: string; uri: string; qr: string };
const readAnswerField = <T,>(answer: unknown, name: string): T | undefined =>
  isFormResult<Record<string, T>>(answer, name) ? answer[name] : undefined;

/** Two-factor sign-in: disabled, being set up, or enabled by app codes, passkeys or both. */
export function TwoFactorSettings(part: SettingsSectionProps<"security">) {
  const { answer, data } = part;
  const { secondStep, passkeyStep } = data.account;
  const codes = readAnswerField<string[] | null>(answer, "recoveryCodes");
  const enrol = readAnswerField<TotpEnrolment>(answer, "enrol");
  const tried = findRejectedForm(answer)?.typed["intent"] === "confirm-totp";
  if (!secondStep && (enrol || tried)) return <ConfirmTotpForm {...part} enrol={enrol} />;
  return (
    <>
      {codes && <RecoveryCodesNotice codes={codes} />}
      {secondStep || passkeyStep ? <EnabledSettings {...part} /> : <DisabledSettings {...part} />}
      {secondStep ? <DisableTotpForm {...part} /> : <StartTotpForm {...part} />}
      <EnablePasskeysForm {...part} />
    </>
  );
}

function DisabledSettings(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  return (
    <>
      {["disable-totp", "waive-passkey"].includes(part.data.saved) && (
        <p role="status" className="text-accent">
          {t("Two-factor authentication is off.")}
        </p>
      )}
      {isTwoFactorRequired(part) && (
        <Notice>
          {t("Staff need two-factor authentication. Until you set it up, you have the rights of a member.")}
        </Notice>
      )}
    </>
  );
}

function StartTotpForm(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  return (
    <SettingsForm {...part} intent="begin-totp" save={t("Set up")} busy={t("One moment…")}>
      <p>
        {t(
          "Besides your password, you enter a code from an app on your phone. Your password alone " +
            "is then not enough to sign in.",
        )}
      </p>
      <SetupProof {...part} name="begin-totp-proof" />
    </SettingsForm>
  );
}

/** Form for people who have a passkey on this host name. */
function EnablePasskeysForm(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  const { account, passkeys } = part.data;
  if (account.passkeyStep) return <DisablePasskeysForm {...part} />;
  if (!passkeys.some(({ here }) => here)) return null;
  return (
    <SettingsForm {...part} intent="require-passkey" save={t("Require a passkey")} busy={t("One moment…")}>
      <p>
        {t(
          "After your password, you are asked for a passkey or a recovery code. That is a second " +
            "factor without an app.",
        )}
      </p>
      <SetupProof {...part} name="require-passkey-proof" />
    </SettingsForm>
  );
}

function DisablePasskeysForm(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  return (
    <>
      <p>{t("After your password, you are asked for a passkey.")}</p>
      {!isTwoFactorRequired(part) || part.data.account.secondStep ? (
        <SettingsForm {...part} intent="waive-passkey" kind="danger" save={t("Stop requiring a passkey")}>
          <ProofField name="waive-passkey-proof" answer={part.answer} />
        </SettingsForm>
      ) : (
        <RequiredNotice />
      )}
    </>
  );
}

/** Whether the viewer is staff and the settings require two-factor of staff. */
const isTwoFactorRequired = ({ data }: SettingsSectionProps<"security">) =>
  data.account.role !== "member" && data.staffNeedSecondStep;

function RequiredNotice() {
  const t = useTranslate();
  return <p className="text-quiet">{t("Staff need two-factor authentication: it cannot be turned off.")}</p>;
}

/**
 * After a wrong code the QR image is not shown again: the app already has the secret, or setup is restarted.
 */
function ConfirmTotpForm({
  enrol,
  ...part
}: SettingsSectionProps<"security"> & { enrol: TotpEnrolment | undefined }) {
  const t = useTranslate();
  return (
    <>
      {enrol && (
        <div className="grid gap-3">
          <p>{t("Scan this with an authenticator app, or type the key into it.")}</p>
          {/* Rendered by our own server; black on white in either theme, so that cameras can read it. */}
          <div
            role="img"
            aria-label={t("QR code with the key")}
            className="w-48 rounded-control bg-[#fff] p-1 [&_svg]:block [&_svg]:h-auto [&_svg]:w-full"
            dangerouslySetInnerHTML={{ __html: enrol.qr }}
          />
          <p className="text-quiet">
            {t("Key as text:")}{" "}
            <code className="text-ink break-all" dir="ltr" data-totp-secret>
              {enrol.secret}
            </code>
          </p>
        </div>
      )}
      <SettingsForm {...part} intent="confirm-totp" save={t("Turn on")} busy={t("Checking…")}>
        <Field
          name="confirm-totp-code"
          label={t("6-digit code")}
          fault={fieldError(part.answer, "confirm-totp-code")}
        >
          {(tie) => (
            <input
              {...tie}
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              dir="ltr"
              className="input figures max-w-48"
            />
          )}
        </Field>
      </SettingsForm>
      {!enrol && (
        <SettingsForm {...part} intent="begin-totp" kind="plain" save={t("Start over with a new key")}>
          <SetupProof {...part} name="begin-totp-proof" />
        </SettingsForm>
      )}
    </>
  );
}

function EnabledSettings(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  return (
    <>
      <p>
        {t("Two-factor authentication is on.")}{" "}
        {t(
          "{n, plural, =0 {No recovery code is left.} one {# recovery code is left.} other {# recovery " +
            "codes are left.}}",
          {
            n: part.data.account.recoveryCodesLeft,
          },
        )}
      </p>
      <SettingsForm {...part} intent="new-codes" kind="plain" save={t("Create new recovery codes")}>
        <ProofField name="new-codes-proof" answer={part.answer} />
      </SettingsForm>
    </>
  );
}

function DisableTotpForm(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  if (isTwoFactorRequired(part) && !part.data.account.passkeyStep) return <RequiredNotice />;
  return (
    <SettingsForm
      {...part}
      intent="disable-totp"
      kind="danger"
      save={part.data.account.passkeyStep ? t("Turn off app codes") : t("Turn off")}
    >
      <ProofField name="disable-totp-proof" answer={part.answer} />
    </SettingsForm>
  );
}

/**
 * Password or code that confirms the setup. People with neither see no field: they must have signed in
 * recently instead.
 */
function SetupProof({ name, data, answer }: SettingsSectionProps<"security"> & { name: string }) {
  const { hasPassword, secondStep, passkeyStep } = data.account;
  return hasPassword || secondStep || passkeyStep ? <ProofField name={name} answer={answer} /> : null;
}

function ProofField({ name, answer }: { name: string; answer: unknown }) {
  const t = useTranslate();
  return (
    <PasswordField
      name={name}
      label={t("Password or code")}
      autoComplete="current-password"
      fault={fieldError(answer, name)}
    />
  );
}
