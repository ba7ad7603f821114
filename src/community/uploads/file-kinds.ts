import { fileTypeFromBuffer } from "file-type";
import { detectPictureKind } from "#platform/images";
import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

/** An allowed file kind: media type and file extensions. */
export type FileKind = { mime: string; endings: readonly string[] };

const KINDS: FileKind[] = [
  { mime: "application/pdf", endings: ["pdf"] },
  { mime: "image/jpeg", endings: ["jpg", "jpeg"] },
  { mime: "image/png", endings: ["png"] },
  { mime: "image/webp", endings: ["webp"] },
  { mime: "image/gif", endings: ["gif"] },
  { mime: "image/avif", endings: ["avif"] },
  { mime: "audio/mpeg", endings: ["mp3"] },
  { mime: "audio/x-m4a", endings: ["m4a"] },
  { mime: "audio/ogg", endings: ["ogg", "oga", "opus"] },
  { mime: "audio/wav", endings: ["wav"] },
  { mime: "audio/flac", endings: ["flac"] },
  { mime: "video/mp4", endings: ["mp4", "m4v"] },
  { mime: "video/webm", endings: ["webm"] },
  { mime: "video/ogg", endings: ["ogv"] },
  { mime: "video/quicktime", endings: ["mov"] },
  { mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", endings: ["docx"] },
  { mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation", endings: ["pptx"] },
  { mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", endings: ["xlsx"] },
  { mime: "application/vnd.oasis.opendocument.text", endings: ["odt"] },
  { mime: "application/vnd.oasis.opendocument.presentation", endings: ["odp"] },
  { mime: "application/vnd.oasis.opendocument.spreadsheet", endings: ["ods"] },
  { mime: "application/epub+zip", endings: ["epub"] },
  { mime: "application/zip", endings: ["zip"] },
];
const MARKDOWN: FileKind = { mime: "text/markdown", endings: ["md", "markdown"] };
const CSV: FileKind = { mime: "text/csv", endings: ["csv", "tsv"] };
const TEXT: FileKind = {
  mime: "text/plain",
  endings: ["txt", "text", "log", "ics", "vcf", "gpx", "json", "srt", "vtt"],
};

/**
 * Photographs of phones. They are converted like other pictures if the image library can read them. Forms do
 * not list the type: a phone that is asked for JPEG converts its photographs itself.
 */
const HEIC: FileKind = { mime: "image/heic", endings: ["heic", "heif"] };

/** Alternative media types of a kind. */
const MIME_ALIASES: Record<string, string> = {
  "image/heif": HEIC.mime,
  "image/heic-sequence": HEIC.mime,
  "image/heif-sequence": HEIC.mime,
  "audio/mp4": "audio/x-m4a",
  "audio/opus": "audio/ogg",
  "audio/ogg; codecs=opus": "audio/ogg",
  "audio/vnd.wave": "audio/wav",
  "audio/x-flac": "audio/flac",
  "video/x-m4v": "video/mp4",
  "video/matroska": "video/webm",
};

/** Extensions for the file picker of a form. The check of an upload uses only its content. */
export const FILE_EXTENSIONS = [...KINDS, MARKDOWN, CSV, TEXT]
  .flatMap((kind) => kind.endings.map((ending) => `.${ending}`))
  .join(",");

/** Number of bytes inspected at the beginning and end of a file. */
export const INSPECTED_BYTES = { head: 1_000_000, tail: 66_000 };

/**
 * Detects a file's kind from its bytes, whatever its name.
 * @throws `wrong-type`, with the name, for HTML and SVG (which can run scripts), files that are two kinds at
 * once, and unsupported kinds
 */
export async function detectFileKind({
  name,
  head,
  tail,
}: {
  name: string;
  head: Buffer;
  tail: Buffer;
}): Promise<FileKind> {
  const called = quoteFileName(name);
  if (head.length === 0) throw wrongTypeRefusal(msg("{called} is empty.", { called }));
  const kind = await detectFromBytes(head, called);
  if (kind && !ZIP_BASED.test(kind.mime) && containsArchive(tail))
    throw wrongTypeRefusal(
      msg("{called} looks like two types of file at once. Save it again and retry.", { called }),
    );
  if (
    kind &&
    /^(application\/pdf|image\/gif)$/.test(kind.mime) &&
    HTML_MARKUP.test(head.subarray(0, 1_024).toString("latin1"))
  )
    throw wrongTypeRefusal(
      msg("{called} looks like two types of file at once. Save it again and retry.", { called }),
    );
  return kind ?? detectTextKind(head, name, called);
}

async function detectFromBytes(head: Buffer, called: string): Promise<FileKind | null> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found || /^(application\/xml|text\/)/.test(found.mime)) return null;
  // An AVIF file may give the name of its container as its main type and list AVIF only as a compatible
  // type.
  const mime = detectPictureKind(head) === "avif" ? "image/avif" : (MIME_ALIASES[found.mime] ?? found.mime);
  const kind = [...KINDS, HEIC].find((it) => it.mime === mime);
  if (!kind)
    throw wrongTypeRefusal(
      msg(
        "{called} has an unsupported type ({ext}). Supported are PDF, office files, pictures, audio, video and text.",
        {
          called,
          ext: found.ext,
        },
      ),
    );
  return kind;
}

const ZIP_BASED = /zip|openxmlformats|opendocument/;
const HTML_MARKUP = /<(!doctype\s+html|html|head|body|script|iframe|svg|\?php)[\s>/]/i;

/**
 * Whether a zip archive ends at the end of the file. The file is then a zip archive, whatever its beginning.
 */
function containsArchive(tail: Buffer): boolean {
  for (
    let at = tail.lastIndexOf("PK\u0005\u0006");
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf("PK\u0005\u0006", at - 1)
  )
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true;
  return false;
}

/** Detects the kind of a text: a file without another kind that is readable as text. */
function detectTextKind(head: Buffer, name: string, called: string): FileKind {
  const words = head.toString("latin1");
  // oxlint-disable-next-line no-control-regex -- control characters are the sign that a file is not text
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(words))
    throw wrongTypeRefusal(
      msg(
        "{called} has an unsupported type. Supported are PDF, office files, pictures, audio, video and text.",
        {
          called,
        },
      ),
    );
  if (HTML_MARKUP.test(words.slice(0, 4_096)))
    throw wrongTypeRefusal(
      msg(
        "{called} is a web page or a drawing, which can contain scripts. Share its address, or save it as PDF.",
        { called },
      ),
    );
  const ends = (kind: FileKind) => kind.endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
  return [MARKDOWN, CSV].find(ends) ?? TEXT;
}

const quoteFileName = (name: string) => `“${name.slice(0, 80) || "file"}”`;
const wrongTypeRefusal = (message: Message) =>
  new Refusal("wrong-type", message, { fields: { file: message } });
