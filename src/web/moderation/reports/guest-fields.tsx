import type { ProofChallenge } from "#community/prevention";
import { LIMITS } from "#community/rules";
import { TextField } from "../../ui/index.ts";
import { Honeypot } from "../../ui/forms/honeypot.tsx";
import { ProofField } from "../../ui/forms/proof-field.tsx";
import { useTranslate } from "../../i18n/index.ts";

/** Fields that only guests fill in when they report content. */
export function GuestFields({ challenge }: { challenge: ProofChallenge | null }) {
  const t = useTranslate();
  return (
    <>
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <TextField
          name="name"
          label={t("Your name")}
          required
          maxLength={LIMITS.displayName}
          autoComplete="name"
          dir="auto"
        />
        <TextField
          name="email"
          type="email"
          label={t("Email address")}
          hint={t(
            "We email you a link to confirm the report, and the decision. Only site staff can see the address.",
          )}
          required
          maxLength={LIMITS.email}
          autoComplete="email"
        />
      </div>
      <Honeypot />
      {challenge && (
        <ProofField
          challenge={challenge}
          withoutProof={t("Your browser runs no scripts here, so you can send one report per hour.")}
        />
      )}
    </>
  );
}
