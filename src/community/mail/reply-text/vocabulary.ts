import { keysOf } from "#platform/objects";

// Phrases that mail programs put around quotations, in the languages they support.

/** The verb of an attribution, as in "Ada wrote:". */
export const ATTRIBUTION_VERB = new RegExp(
  String.raw`(?<!\p{L})(?:wrote|writes|schrieb|schreibt|geschrieben|a écrit|écrit|escribió` +
    String.raw`|escribiste|ha scritto|scritto|schreef|geschreven|escreveu|skrev|skriver|kirjoitti` +
    String.raw`|napisał(?:\(a\)|a)?|pisze|napsala?|írta|a scris|yazdı|έγραψε|написал(?:\(а\)|а)?` +
    String.raw`|пишет|писал(?:\(а\)|а)?|написав|пише|كتبت?)(?!\p{L})|تمت كتابة|بواسطة|写道|寫道|寫到` +
    String.raw`|のメール|書きました|님이 작성`,
  "iu",
);

/** Header names by kind. */
const HEAD_NAMES = {
  from: "from,von,de,da,van,från,fra,od,от,от кого,lähettäjä,gönderen,feladó,发件人,寄件者,寄件人,差出人,送信者,보낸 사람,من",
  date: `sent,sent at,date,gesendet,datum,envoyé,enviado,enviada,enviada em,enviado em,enviado el,enviado a,
    inviato,data,verzonden,skickat,sendt,sendt den,отправлено,дата,wysłano,wysłane,data wysłania,fecha,dato,
    lähetetty,päiväys,发送时间,日期,寄件日期,送信日時,日時,日付,
    보낸 날짜,날짜,التاريخ,تاريخ الإرسال,تم الإرسال,تم الإرسال في,أُرسلت,أرسلت`,
  to: `to,an,à,a,para,aan,till,til,кому,do,vastaanottaja,kime,收件人,宛先,받는 사람,إلى,cc,kopie,copie,
    copie à,copia,kopia,kopi,копия,dw,抄送,副本,نسخة,reply-to,répondre à,antwort an`,
  subject:
    "subject,betreff,objet,asunto,assunto,oggetto,onderwerp,ämne,emne,тема,temat,aihe,konu,主题,主旨,件名,제목,الموضوع",
} as const;
export type HeaderKind = keyof typeof HEAD_NAMES;

const KIND_OF = new Map(
  keysOf(HEAD_NAMES).flatMap((kind) => HEAD_NAMES[kind].split(/,\s*/).map((name) => [name, kind] as const)),
);
export const findHeaderKind = (name: string): HeaderKind | undefined =>
  KIND_OF.get(name.trim().toLowerCase());

/** Phrases that introduce the original or forwarded mail between dashes. */
export const SEPARATOR = new RegExp(
  String.raw`^[\s*_]*[-‐‑–—]{2,}\s*(?:original message|original-nachricht|originalnachricht` +
    String.raw`|ursprüngliche (?:nachricht|mail)|message d.origine|message original` +
    String.raw`|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht` +
    String.raw`|originalmeddelande|ursprungligt meddelande|oprindelig (?:meddelelse|besked)` +
    String.raw`|opprinnelig melding|alkuperäinen viesti|reply message|antwort|исходное сообщение` +
    String.raw`|пересылаемое сообщение|пересланное сообщение|oryginalna wiadomość` +
    String.raw`|wiadomość oryginalna|元のメッセージ|原始邮件|原始郵件|转发的邮件|forwarded message` +
    String.raw`|forwarded by .{0,80}|weitergeleitete nachricht|message transféré` +
    String.raw`|mensaje reenviado|mensagem encaminhada|messaggio inoltrato|doorgestuurd bericht` +
    String.raw`|vidarebefordrat meddelande|الرسالة الأصلية` +
    String.raw`|رسالة مُعاد توجيهها)\s*[-‐‑–—]{2,}[\s*_]*$`,
  "iu",
);
/** Phrases with which Apple Mail introduces a forwarded mail, as a sentence. */
export const FORWARD_MARKERS = new RegExp(
  String.raw`^(?:begin forwarded message|anfang der weitergeleiteten nachricht` +
    String.raw`|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado` +
    String.raw`|inizio messaggio inoltrato|begin doorgestuurd bericht` +
    String.raw`|início da mensagem reencaminhada|转发的邮件|転送されたメッセージ` +
    String.raw`|начало переадресованного сообщения)\s?[:：]$`,
  "iu",
);
/** A separator line that Outlook and others put above the header block. */
export const SEPARATOR_RULE = /^(?:_{8,}|-{8,}|[*]\s[*]\s[*])$/;

const DEVICE =
  String.raw`(?:iphone|ipad|ipod|mac|macbook|apple|android|samsung|galaxy|huawei|xiaomi|redmi|pixel|nokia` +
  String.raw`|blackberry|htc|xperia|oneplus|oppo|motorola|alcatel|lenovo|ti-\d+|mailbox|inbox|airmail` +
  String.raw`|newton|fairphone|windows|outlook|yahoo|gmx|web\.de|spark|proton|protonmail|k-9|thunderbird` +
  String.raw`|superhuman|zoho|fastmail|shortwave|edison|bluemail|aqua ?mail|t-online|freenet|mail\.ru` +
  String.raw`|orange|free|laposte|wp poczta|onet|mobile|mobil|mobiltelefon|handy|smartphone|phone|cell` +
  String.raw`|cellphone|mobilgerät|mobiltelefon|android-\S+|tablet|téléphone|telefon|teléfono|móvil` +
  String.raw`|celular|telemóvel|cellulare|telefoon|mobiele|mobilt|gerät|appareil|dispositivo|urządzenia` +
  String.raw`|устройства|телефона|smartfona|telefonu|mail for|mail app|mail-app|хост|почты|هاتفي?|أندرويد` +
  String.raw`|آيفون)`;
const device = (phrase: string, before = 30) =>
  new RegExp(`^${phrase}(?:.{0,${before}}[^\\p{L}])?(?:l['’])?${DEVICE}(?:[^\\p{L}].{0,40})?$`, "iu");

/** The last line that many phones add: only a phrase and the name of a device or app. */
export const PHONE_LINES: RegExp[] = [
  device("sent from (?:my|a|an|the)(?= )", 12),
  device("sent (?:from|with|via|using|by)(?= )"),
  /^from my (?:iphone|ipad|android|phone|mobile|samsung|galaxy)(?: \S{1,12})?$/iu,
  /^從我的.{1,20}傳送$/u,
  device("(?:gesendet|versendet|verschickt|geschickt) (?:von|mit|über|aus)(?= )"),
  new RegExp(`^von mein\\S* .{0,20}${DEVICE}.{0,20} (?:gesendet|geschrieben)$`, "iu"),
  new RegExp(`^(?:diese (?:nachricht|e-?mail) wurde|this message was) .{0,40}${DEVICE}.{0,40}$`, "iu"),
  device("envoyé (?:de|depuis|avec|à partir|par|via)(?= )"),
  device("enviad[oa] (?:desde|do|da|de|a partir|via|pelo|com|con|através)(?= )"),
  device("(?:inviato|inviata) (?:da|dal|dall|con|tramite)(?= )"),
  device("(?:verzonden|verstuurd) (?:vanaf|met|via|van|vanuit)(?= )"),
  device("(?:skickat|skickades|sänt|sendt) (?:från|fra|med|via)(?= )"),
  device("(?:отправлено|послано) (?:с|из|через|от)(?= )"),
  device("(?:wysłan[eoy]|wysłano) (?:z|ze|za pomocą)(?= )"),
  new RegExp(
    String.raw`^(?:أ[ُ]?رسلت?|تم الإرسال|مرسل|مُرسل)ت? (?:من|عبر|بواسطة) .{0,20}(?:iphone|ipad` +
      String.raw`|android|samsung|galaxy|outlook|yahoo|هاتف|جهاز|آيفون|أندرويد).{0,20}$`,
    "iu",
  ),
  /^(?:iphone|ipad|android|galaxy|outlook|yahoo!?メール|スマートフォン|携帯).{0,20}から送信$/iu,
  /^(?:发自|發自|寄自|来自)\s?(?:我的|我).{0,24}$/u,
  /^.{0,28}\boutlook\b.{0,16}\b(?:ios|android|mac|windows)\b.{0,16}$/iu,
];
