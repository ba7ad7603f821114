/** Kinds of files that have words to be read, or a picture to be made smaller. */
export const isReadable = (mime: string): boolean =>
  mime === "application/pdf" || mime.startsWith("image/") || /openxmlformats|opendocument|epub/.test(mime) || mime.startsWith("text/");
