import type { FieldAudience } from "#community/rules";
import { useTranslate } from "../i18n/index.ts";

export function useAudienceLabels(): Record<FieldAudience, string> {
  const t = useTranslate();
  return { everyone: t("Everyone"), members: t("Members"), friends: t("Friends"), nobody: t("Nobody") };
}

type Props = { name: string; label: string; chosen: FieldAudience; className?: string };

/** Audience of a profile field, with a label that names the field for screen readers. */
export function AudienceSelect({ name, label, chosen, className = "" }: Props) {
  const words = useAudienceLabels();
  return (
    <select name={name} aria-label={label} defaultValue={chosen} className={`input ${className}`}>
      {Object.entries(words).map(([audience, word]) => (
        <option key={audience} value={audience}>
          {word}
        </option>
      ))}
    </select>
  );
}
