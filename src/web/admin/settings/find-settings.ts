import type { SettingKey } from "#community/settings";
import { normalizeText } from "../../ui/text/normalize-text.ts";
import type { SettingLabels } from "./setting-labels.ts";

/**
 * Words for settings that their labels do not contain, in all languages at once: people also search for
 * English terms on a page in another language.
 */
const SYNONYMS: [keys: SettingKey[], words: string][] = [
  [
    ["registration", "firstPosts", "newcomersGroups"],
    "approve approval moderation queue new users freigeben freigabe freischalten prüfen approuver " +
      "approbation validation modération aprobar aprobación validación موافقة اعتماد مراجعة",
  ],
  [
    ["registration", "contact", "confirmAddress", "accountsPerAddress", "registrationTries"],
    "sign up signup join account spam bot registrieren anmelden konto inscription compte s'inscrire " +
      "registro registrarse cuenta alta تسجيل حساب انضمام",
  ],
  [
    ["proofForRegistration", "proofForReports"],
    "captcha spam bot pow altcha arbeitsnachweis preuve de travail prueba de trabajo إثبات العمل كابتشا",
  ],
  [
    ["name", "sentence", "logo", "accent", "ground", "welcome"],
    "branding brand theme appearance design color colour icon favicon picture marke aussehen farbe bild " +
      "symbol marque apparence couleur image icône marca apariencia color imagen icono diseño " +
      "هوية مظهر شعار لون صورة أيقونة",
  ],
  [
    ["staffNeedSecondStep"],
    "2fa mfa totp two factor second factor security zwei-faktor zweiter faktor sicherheit double " +
      "authentification deux facteurs sécurité dos factores doble factor seguridad مصادقة ثنائية أمان",
  ],
  [
    ["passwordRules", "signInBackoff", "wrongPasswordsLock", "lockMinutes"],
    "security lock brute force password login sicherheit sperre passwort sécurité verrouillage mot de passe " +
      "seguridad bloqueo contraseña أمان قفل كلمة المرور",
  ],
  [
    ["mailRoles", "mailsPerHour", "confirmAddress"],
    "smtp email mail newsletter e-mail versand courriel messagerie correo بريد رسائل",
  ],
  [
    ["fileMegabytes", "programFileMegabytes", "programFilesGigabytes", "filesWrittenBy"],
    "upload attachment storage size quota disk hochladen anhang speicher größe téléverser envoi pièce jointe " +
      "stockage taille subir adjunto almacenamiento tamaño رفع مرفق تخزين حجم",
  ],
  [
    ["audience", "guestsSeePeople", "showMemberCount"],
    "private public guests visibility privacy privat öffentlich gäste sichtbarkeit datenschutz privé invités " +
      "visibilité confidentialité privado público invitados visibilidad privacidad خاص عام زوار خصوصية",
  ],
  [
    ["rules", "about", "privacyText", "introductions", "welcome"],
    "content text page terms legal imprint gdpr guidelines inhalt regeln impressum dsgvo richtlinien contenu " +
      "conditions mentions légales rgpd contenido términos aviso legal normas محتوى شروط قواعد سياسة",
  ],
  [
    ["writingLimits", "apiCalls", "apiCallsOfPerson", "tableRows", "tableMegabytes", "mostLogins"],
    "limit throttle rate flood quota begrenzung limite débit límite cuota حد حصة",
  ],
  [
    ["logLevel", "logLevels", "logDays"],
    "logging debug retention protokoll aufbewahrung journal conservation registro retención سجل احتفاظ",
  ],
  [
    [
      "apiDefaults",
      "mcpServer",
      "signInOrigins",
      "whoPublishes",
      "whoShares",
      "severalLogins",
      "newLoginWins",
    ],
    "developer backend cors oauth sso session entwickler sitzung développeur desarrollador sesión مطور جلسة",
  ],
  [
    ["purchaseGrants"],
    "payment google play subscription kauf abo achat abonnement compra suscripción شراء اشتراك",
  ],
];

const synonymsOf = (key: SettingKey) =>
  SYNONYMS.flatMap(([keys, words]) => (keys.includes(key) ? [words] : [])).join(" ");

/** Whether each typed word is part of the setting's key, label, description or synonyms. */
export function matchesSetting({ key, label, about }: SettingLabels, typed: string): boolean {
  const text = normalizeText(`${key} ${label} ${about} ${synonymsOf(key)}`);
  return normalizeText(typed)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
