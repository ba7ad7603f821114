/** Kinds of files with extractable text or a possible thumbnail. */
export const isTextExtractable = (mime: string): boolean =>
  mime === "application/pdf" ||
  mime.startsWith("image/") ||
  /openxmlformats|opendocument|epub/.test(mime) ||
  mime.startsWith("text/");
