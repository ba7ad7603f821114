import { expect, test } from "vitest";
import { extractPictures } from "./mbox-attachments.ts";

/** The beginning of an ISO media file with these brands. */
function mediaFile(...brands: string[]): ArrayBuffer {
  const bytes = new Uint8Array(400);
  bytes.set(Buffer.from(`\0\0\0\x20ftyp${brands[0]}\0\0\0\0${brands.join("").padEnd(16, "\0")}`, "latin1"));
  return bytes.buffer;
}

test("a HEIC file is not imported as a picture, but an AVIF file of the same brand is", async () => {
  const attachments = [
    ["phone.heic", mediaFile("mif1", "heic")],
    ["bed.avif", mediaFile("mif1", "avif")],
  ] as const;
  const found = await extractPictures(
    "a.mbox message 1",
    attachments.map(([filename, content]) => ({
      filename,
      content,
      mimeType: "image/png",
      disposition: "attachment",
    })),
    async () => {},
  );
  expect([found.pictures.map(({ name }) => name), found.others]).toEqual([["bed.avif"], ["phone.heic"]]);
});
