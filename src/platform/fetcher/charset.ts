/** Decodes a page by the encoding in its header, else by the one at the start of its HTML, else as UTF-8. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const name = /charset=["']?([\w-]{1,40})/i.exec(contentType)?.[1] ?? findCharset(bytes);
  try {
    return new TextDecoder(name ?? "utf-8").decode(bytes);
  } catch {
    // The encoding is unknown.
    return new TextDecoder().decode(bytes);
  }
}

/** HTML declares its encoding within the first 1024 bytes. */
const findCharset = (bytes: Buffer) =>
  /<meta[^>]{0,200}charset=["']?\s*([\w-]{1,40})/i.exec(bytes.subarray(0, 1024).toString("latin1"))?.[1];
