import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/**
 * Creates a zip in which the files in `damaged` are damaged: one byte in the middle of each differs from the
 * original.
 */
export async function createDamagedZip(files: Record<string, string>, damaged: string[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files))
    zip.addBuffer(Buffer.from(text), name, { compress: false });
  zip.end();
  const bytes = await buffer(zip.outputStream);
  for (const name of damaged) bytes[bytes.indexOf(files[name]!) + (files[name]!.length >> 1)]! ^= 0x01;
  return bytes;
}
