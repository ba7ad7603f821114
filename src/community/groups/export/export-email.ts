import { composeEmail } from "#community/accounts";

type ExportMailTexts = { subject: string; hello: string; lines: string[]; button: string };
type ExportMailValues = { name: string; group: string; community: string };

const EXPORT_MAIL_TEXTS: Record<string, ExportMailTexts> = {
  en: {
    subject: "Your export of {group} is ready",
    hello: "Hello {name},",
    lines: [
      "the export of {group}, a group of {community}, is ready. Only you can download it, for seven " +
        "days, while you own the group.",
      "The export was recorded in the group's log.",
    ],
    button: "Download export",
  },
  de: {
    subject: "Dein Export von {group} ist fertig",
    hello: "Hallo {name},",
    lines: [
      "der Export von {group}, einer Gruppe von {community}, ist fertig. Nur du kannst ihn " +
        "herunterladen: sieben Tage lang, solange du die Gruppe besitzt.",
      "Der Export wurde im Protokoll der Gruppe vermerkt.",
    ],
    button: "Export herunterladen",
  },
  fr: {
    subject: "Votre export de {group} est prêt",
    hello: "Bonjour {name},",
    lines: [
      "l’export de {group}, un groupe de {community}, est prêt. Vous seul pouvez le télécharger, " +
        "pendant sept jours, tant que vous êtes propriétaire du groupe.",
      "L’export a été enregistré dans le journal du groupe.",
    ],
    button: "Télécharger l’export",
  },
  es: {
    subject: "Tu exportación de {group} está lista",
    hello: "Hola, {name}:",
    lines: [
      "la exportación de {group}, un grupo de {community}, está lista. Solo tú puedes descargarla, " +
        "durante siete días, mientras seas propietario del grupo.",
      "La exportación quedó registrada en el historial del grupo.",
    ],
    button: "Descargar exportación",
  },
  ar: {
    subject: "تصدير {group} جاهز",
    hello: "مرحبًا {name}،",
    lines: [
      "أصبح تصدير {group}، وهي مجموعة في {community}، جاهزًا. يمكنك وحدك تنزيله خلال سبعة أيام ما دمت مالك المجموعة.",
      "وقد سُجّل التصدير في سجل المجموعة.",
    ],
    button: "تنزيل التصدير",
  },
};

/** Composes the email that tells an owner, in their language, that the group export is ready. */
export function composeExportEmail(locale: string, { link, ...values }: ExportMailValues & { link: string }) {
  const language = Object.hasOwn(EXPORT_MAIL_TEXTS, locale) ? locale : "en";
  const { subject, hello, lines, button } = EXPORT_MAIL_TEXTS[language]!;
  const fill = (text: string) =>
    text.replace(/\{(name|group|community)\}/g, (_, key: keyof ExportMailValues) => values[key]);
  return composeEmail(language, {
    subject: fill(subject),
    sentences: [hello, ...lines].map(fill),
    act: { button, link },
    community: values.community,
  });
}
