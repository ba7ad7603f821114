import { composeEmail } from "#community/accounts";

type ExportMailTexts = { subject: string; hello: string; lines: string[]; button: string };
type ExportMailValues = { name: string; group: string; community: string };

const EXPORT_MAIL_TEXTS: Record<string, ExportMailTexts> = {
  en: {
    subject: "{group} is ready to be taken along",
    hello: "Hello {name},",
    lines: [
      "{group}, a group of {community}, has been put together as you read it. You can fetch it for seven days, as long as you own the group; nobody else can.",
      "The log of the group says that you took it along.",
    ],
    button: "Fetch it",
  },
  de: {
    subject: "{group} liegt zum Mitnehmen bereit",
    hello: "Hallo {name},",
    lines: [
      "{group}, eine Gruppe von {community}, liegt so bereit, wie du sie liest. Du kannst sie sieben Tage lang holen, solange sie dir gehört; sonst niemand.",
      "Im Protokoll der Gruppe steht, dass du sie mitgenommen hast.",
    ],
    button: "Holen",
  },
  fr: {
    subject: "{group} est prêt à être emporté",
    hello: "Bonjour {name},",
    lines: [
      "{group}, un groupe de {community}, est rassemblé tel que vous le lisez. Vous pouvez le récupérer pendant sept jours, tant que vous en êtes propriétaire ; personne d’autre ne le peut.",
      "Le journal du groupe indique que vous l’avez emporté.",
    ],
    button: "Le récupérer",
  },
  es: {
    subject: "{group} está listo para llevar",
    hello: "Hola, {name}:",
    lines: [
      "{group}, un grupo de {community}, está reunido tal como lo lees. Puedes recogerlo durante siete días mientras sea tuyo; nadie más puede.",
      "El historial del grupo dice que te lo has llevado.",
    ],
    button: "Recogerlo",
  },
  ar: {
    subject: "{group} جاهزة لتأخذها معك",
    hello: "مرحبًا {name}،",
    lines: [
      "جُمعت {group}، وهي مجموعة في {community}، كما تقرؤها. يمكنك تنزيلها خلال سبعة أيام ما دمت مالكها؛ ولا يستطيع ذلك غيرك.",
      "ويذكر سجل المجموعة أنك أخذتها معك.",
    ],
    button: "تنزيلها",
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
