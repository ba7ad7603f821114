import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Creates an extension folder for one test: file contents by name. */
export function createExtensionFolder(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "kith-extensions-"));
  const write = (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  write(files);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
