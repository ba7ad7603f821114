/** Decodes a page by the encoding in its header, else in its beginning, else as UTF-8. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const said = /charset=["']?([\w-]{1,40})/i.exec(contentType)?.[1] ?? findCharset(bytes);
  try {
    return new TextDecoder(said ?? "utf-8").decode(bytes);
  } catch {
    // Unknown encoding.
    return new TextDecoder().decode(bytes);
  }
}

/** HTML looks for it in the first 1024 bytes. */
const findCharset = (bytes: Buffer) =>
  /<meta[^>]{0,200}charset=["']?\s*([\w-]{1,40})/i.exec(bytes.subarray(0, 1024).toString("latin1"))?.[1];
