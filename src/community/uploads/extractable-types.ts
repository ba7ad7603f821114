/** Whether text can be extracted or a thumbnail made from files of this type. */
export const isTextExtractable = (mime: string): boolean =>
  mime === "application/pdf" ||
  mime.startsWith("image/") ||
  /openxmlformats|opendocument|epub/.test(mime) ||
  mime.startsWith("text/");
