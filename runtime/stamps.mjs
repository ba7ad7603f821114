// For the launcher: where it works, and the stamps by which it knows what is installed and built.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

export const readJson = (path) => JSON.parse(fs.readFileSync(path, "utf8"));
export const writeStamp = (path, text) => {
  // Written to a temporary file and renamed: the disk may be full, or the power may fail.
  fs.writeFileSync(`${path}.new`, text);
  fs.renameSync(`${path}.new`, path);
};
export const sha1 = (parts) =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha1")).digest("hex");
