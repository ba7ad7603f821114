// The launcher's root folder, and the stamp files that record what is installed and built.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

export const readJson = (path) => JSON.parse(fs.readFileSync(path, "utf8"));
export const writeStamp = (path, text) => {
  // The stamp is written to a temporary file and then renamed, so that a full disk or a power failure leaves
  // no incomplete stamp.
  fs.writeFileSync(`${path}.new`, text);
  fs.renameSync(`${path}.new`, path);
};
export const sha1 = (parts) =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha1")).digest("hex");
