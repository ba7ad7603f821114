import { Field, Notice } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { refusedIn } from "../faults.tsx";
import { PasswordField } from "../password-field.tsx";
import type { PartProps } from "../settings.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { faultOf, SettingsForm } from "./settings-form.tsx";

type Enrol = { secret: string; uri: string; qr: string };
const inAnswer = <T,>(answer: unknown, name: string): T | undefined =>
  typeof answer === "object" && answer !== null && name in answer ? ((answer as Record<string, unknown>)[name] as T) : undefined;

/** Disabled, being set up, or enabled: by app codes, passkeys or both. */
export function SecondStepSettings(part: PartProps) {
  const { answer, data } = part;
  const { secondStep, passkeyStep } = data.account;
  const codes = inAnswer<string[] | null>(answer, "recoveryCodes");
  const enrol = inAnswer<Enrol>(answer, "enrol");
  const tried = refusedIn(answer)?.typed["intent"] === "confirm-totp";
  if (!secondStep && (enrol || tried)) return <Enrolling {...part} enrol={enrol} />;
  return (
    <>
      {codes && <RecoveryCodes codes={codes} />}
      {secondStep || passkeyStep ? <On {...part} /> : <Off {...part} />}
      {secondStep ? <EndApp {...part} /> : <BeginApp {...part} />}
      <PasskeyStep {...part} />
    </>
  );
}

function Off(part: PartProps) {
  const t = useWords();
  return (
    <>
      {["disable-totp", "waive-passkey"].includes(part.data.saved) && (
        <p role="status" className="text-accent">
          {t("The second step is off.")}
        </p>
      )}
      {isHeld(part) && (
        <Notice>
          {t("Whoever looks after this place signs in with two steps. Until you have set that up, you can do here what every member can.")}
        </Notice>
      )}
    </>
  );
}

function BeginApp(part: PartProps) {
  const t = useWords();
  return (
    <SettingsForm {...part} intent="begin-totp" save={t("Set it up")} busy={t("One moment…")}>
      <p>
        {t("Besides your password, a code of an app on your phone is asked for. Whoever learns your password then still stays outside.")}
      </p>
      <SetupProof {...part} name="begin-totp-proof" />
    </SettingsForm>
  );
}

/** For people who have a passkey at this address. */
function PasskeyStep(part: PartProps) {
  const t = useWords();
  const { account, passkeys } = part.data;
  if (account.passkeyStep) return <EndPasskeys {...part} />;
  if (!passkeys.some(({ here }) => here)) return null;
  return (
    <SettingsForm {...part} intent="ask-for-passkey" save={t("Ask for a passkey")} busy={t("One moment…")}>
      <p>{t("After your password, one of your passkeys is asked for, or a recovery code. That is a second step without an app.")}</p>
      <SetupProof {...part} name="ask-for-passkey-proof" />
    </SettingsForm>
  );
}

function EndPasskeys(part: PartProps) {
  const t = useWords();
  return (
    <>
      <p>{t("After your password, a passkey is asked for.")}</p>
      {!isHeld(part) || part.data.account.secondStep ? (
        <SettingsForm {...part} intent="waive-passkey" kind="danger" save={t("Do not ask for a passkey any more")}>
          <Proof name="waive-passkey-proof" answer={part.answer} />
        </SettingsForm>
      ) : (
        <Held />
      )}
    </>
  );
}

/** Staff, where the settings require two-factor of them. */
const isHeld = ({ data }: PartProps) => data.account.role !== "member" && data.staffNeedSecondStep;

function Held() {
  const t = useWords();
  return <p className="text-quiet">{t("Staff sign in with two steps here: it cannot be switched off.")}</p>;
}

/** After a wrong code the QR image is not shown again: the app has the secret, or the setup starts over. */
function Enrolling({ enrol, ...part }: PartProps & { enrol: Enrol | undefined }) {
  const t = useWords();
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
            {t("The key as text:")}{" "}
            <code className="text-ink break-all" dir="ltr" data-totp-secret>
              {enrol.secret}
            </code>
          </p>
        </div>
      )}
      <SettingsForm {...part} intent="confirm-totp" save={t("Switch it on")} busy={t("Checking…")}>
        <Field name="confirm-totp-code" label={t("The code that the app shows now")} fault={faultOf(part.answer, "confirm-totp-code")}>
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
        <SettingsForm {...part} intent="begin-totp" kind="plain" save={t("Begin anew with another key")}>
          <SetupProof {...part} name="begin-totp-proof" />
        </SettingsForm>
      )}
    </>
  );
}

function On(part: PartProps) {
  const t = useWords();
  return (
    <>
      <p>
        {t("The second step is on.")}{" "}
        {t("{n, plural, =0 {No recovery code is left.} one {# recovery code is left.} other {# recovery codes are left.}}", {
          n: part.data.account.recoveryCodesLeft,
        })}
      </p>
      <SettingsForm {...part} intent="new-codes" kind="plain" save={t("Make new recovery codes")}>
        <Proof name="new-codes-proof" answer={part.answer} />
      </SettingsForm>
    </>
  );
}

function EndApp(part: PartProps) {
  const t = useWords();
  if (isHeld(part) && !part.data.account.passkeyStep) return <Held />;
  return (
    <SettingsForm
      {...part}
      intent="disable-totp"
      kind="danger"
      save={part.data.account.passkeyStep ? t("End the app’s codes") : t("Switch it off")}
    >
      <Proof name="disable-totp-proof" answer={part.answer} />
    </SettingsForm>
  );
}

/** Whoever has neither a password nor codes shows nothing: they have to have signed in a moment ago. */
function SetupProof({ name, data, answer }: PartProps & { name: string }) {
  const { hasPassword, secondStep, passkeyStep } = data.account;
  return hasPassword || secondStep || passkeyStep ? <Proof name={name} answer={answer} /> : null;
}

function Proof({ name, answer }: { name: string; answer: unknown }) {
  const t = useWords();
  return <PasswordField name={name} label={t("Your password, or a code")} autoComplete="current-password" fault={faultOf(answer, name)} />;
}
