import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

type BrowserLocation = { executablePath?: string; env?: Record<string, string> };
const INSTALLED_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Finds the browser for the tests: `CHROME_PATH`, else the browser in the npm package (x64 Linux), else an
 * installed browser, else Playwright's own if it was downloaded.
 */
export async function findBrowser(): Promise<BrowserLocation> {
  const named = process.env["CHROME_PATH"];
  if (named) return { executablePath: named };
  if (process.platform === "linux" && process.arch === "x64")
    return findPackaged(resolve("node_modules/.cache/kith-chromium"));
  const installed = INSTALLED_BROWSERS.find((path) => existsSync(path));
  return installed ? { executablePath: installed } : {};
}

async function findPackaged(home: string): Promise<BrowserLocation> {
  if (!existsSync(join(home, "chromium"))) await unpackBrowser(home);
  const lib = join(home, "al2023", "lib");
  return {
    executablePath: join(home, "chromium"),
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: [lib, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":"),
      FONTCONFIG_FILE: join(home, "fonts.conf"),
    },
  };
}

/**
 * The package unpacks into the temporary folder, which is set to a folder of ours. That folder is renamed
 * when it is complete.
 */
async function unpackBrowser(home: string) {
  const beside = `${home}.${process.pid}`;
  const before = { ...process.env };
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true });
  // The package contains libraries that a minimal machine lacks, but uses them only when it detects AWS.
  Object.assign(process.env, { TMPDIR: beside, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" });
  const { default: chromium } = await import("@sparticuz/chromium");
  await chromium.executablePath();
  // The package's font configuration refers to folders of AWS; without any font the browser exits at once.
  writeFileSync(
    join(beside, "fonts.conf"),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM ` +
      `"fonts.dtd"><fontconfig><dir>${join(home, "fonts")}</dir><dir>/usr/share/fonts</dir>` +
      `<cachedir>${join(home, "fonts-cache")}</cachedir></fontconfig>`,
  );
  for (const name of ["TMPDIR", "AWS_EXECUTION_ENV", "LD_LIBRARY_PATH", "FONTCONFIG_PATH"]) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  if (existsSync(join(home, "chromium"))) return rmSync(beside, { recursive: true, force: true });
  // A browser that ran during a reinstall may have left its font cache in this folder.
  rmSync(home, { recursive: true, force: true });
  renameSync(beside, home);
}
