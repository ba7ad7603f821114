import { keysOf } from "#platform/objects";
import { useTranslate } from "../../../i18n/index.ts";
import { CheckField, SelectField, TextField } from "../../../ui/index.ts";
import { PasswordField } from "../../password-field.tsx";
import type { SettingsSectionProps } from "../settings-data.ts";
import { fieldError, SettingsForm } from "../settings-form.tsx";
import { CreatedToken } from "./created-token.tsx";
import { TokenRow, useAreaLabels } from "./token-row.tsx";
import { isFormResult } from "../../../ui/forms/form-result.ts";

type Props = SettingsSectionProps<"tokens">;

type CreatedToken = { createdToken: { name: string; token: string } };
const readCreatedToken = (answer: unknown): CreatedToken["createdToken"] | undefined =>
  isFormResult<CreatedToken>(answer, "createdToken") ? answer.createdToken : undefined;

/** The viewer's personal access tokens, and a form for a new one. */
export function TokensSettings(part: Props) {
  const t = useTranslate();
  const { tokens, saved } = part.data;
  const created = readCreatedToken(part.answer);
  return (
    <>
      <p className="text-quiet">
        {t(
          "With an access token, a program acts as you in the areas you choose, but never in your " +
            "security settings.",
        )}{" "}
        <a href="/api/docs">{t("API documentation")}</a>
      </p>
      {created && <CreatedToken {...created} />}
      <p role="status" className="text-accent empty:hidden">
        {saved === "revoke-access" && part.answer === undefined && t("The token was revoked.")}
      </p>
      {tokens.length === 0 ? (
        <p>{t("You have no access tokens yet.")}</p>
      ) : (
        <ul className="border-t border-line" aria-label={t("Your access tokens")}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      <NewTokenForm key={tokens[0]?.id ?? ""} {...part} />
    </>
  );
}

function NewTokenForm(part: Props) {
  const t = useTranslate();
  const { data, answer } = part;
  const { hasPassword, secondStep, passkeyStep } = data.account;
  const fault = fieldError(answer, "grant-access-scopes");
  return (
    <SettingsForm
      {...part}
      intent="grant-access"
      title={t("New token")}
      save={t("Create token")}
      busy={t("Creating…")}
    >
      <TextField
        name="grant-access-name"
        label={t("Name")}
        hint={t("What the token is for, such as “Backup script”.")}
        required
        maxLength={60}
        autoComplete="off"
        dir="auto"
      />
      <fieldset className="grid gap-3" aria-describedby={fault ? "scopes-fault" : undefined}>
        <legend className="mb-2 font-semibold">{t("Access")}</legend>
        {fault && (
          <p className="fault" id="scopes-fault">
            {fault}
          </p>
        )}
        <div className="grid grid-cols-1 gap-3 phone:grid-cols-2">
          <AreaFields />
        </div>
      </fieldset>
      <GroupFields groups={data.ownGroups} fault={fieldError(answer, "grant-access-groupIds")} />
      <ExpiryField />
      {(hasPassword || secondStep || passkeyStep) && (
        <PasswordField
          name="grant-access-proof"
          label={t("Password or code")}
          autoComplete="current-password"
          fault={fieldError(answer, "grant-access-proof")}
        />
      )}
    </SettingsForm>
  );
}

function AreaFields() {
  const t = useTranslate();
  const labels = useAreaLabels();
  return keysOf(labels).map((area) => (
    <SelectField key={area} name={`grant-access-${area}`} label={labels[area]} defaultValue="">
      <option value="">{t("No access")}</option>
      {area === "moderation" ? (
        <option value="write">{t("Use your moderation tools")}</option>
      ) : (
        <>
          <option value="read">{t("Read only")}</option>
          <option value="write">{t("Read and write")}</option>
        </>
      )}
    </SelectField>
  ));
}

/** The groups that a token can be limited to: the latest active ones of the person. */
function GroupFields({
  groups,
  fault,
}: {
  groups: { id: string; name: string }[];
  fault: string | undefined;
}) {
  const t = useTranslate();
  if (groups.length === 0) return null;
  return (
    <details>
      <summary className="w-fit text-accent">{t("Limit to groups")}</summary>
      <p className="hint mt-2" id="groups-hint">
        {t(
          "The token then gives access to the chosen groups only: not to people, messages or other " +
            "groups.",
        )}
      </p>
      {fault && (
        <p className="fault" id="groups-fault">
          {fault}
        </p>
      )}
      <fieldset
        className="mt-2 grid grid-cols-1 gap-1 phone:grid-cols-2"
        aria-describedby={fault ? "groups-fault" : "groups-hint"}
      >
        <legend className="sr-only">{t("Groups")}</legend>
        {groups.map(({ id, name }) => (
          <CheckField key={id} name="grant-access-groupIds[]" value={id} label={name} />
        ))}
      </fieldset>
    </details>
  );
}

function ExpiryField() {
  const t = useTranslate();
  const inDays = (days: number) => t("After {days, plural, one {# day} other {# days}}", { days });
  return (
    <SelectField
      name="grant-access-lifetime"
      label={t("Expires")}
      hint={t("A program that uses an expired token loses access.")}
      defaultValue="90"
    >
      <option value="7">{inDays(7)}</option>
      <option value="30">{inDays(30)}</option>
      <option value="90">{inDays(90)}</option>
      <option value="365">{inDays(365)}</option>
      <option value="never">{t("Never")}</option>
    </SelectField>
  );
}
