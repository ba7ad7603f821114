import { defineConfig, devices } from "@playwright/test";
import { findFreePort } from "./test/support/setup/free-port.ts";
import { WORKERS } from "./test/support/setup/test-projects.ts";
import { findBrowser } from "./test/support/browser/browser-path.ts";

// Workers read this file too and need the same port: they inherit it from the environment.
process.env["KITH_TEST_PORT"] ??= String(await findFreePort());
const port = Number(process.env["KITH_TEST_PORT"]);
const { executablePath, env } = await findBrowser();

export default defineConfig({
  testDir: "test/browser",
  testMatch: "*.spec.ts",
  outputDir: "test/results/browser",
  fullyParallel: true,
  workers: WORKERS,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: "test/results/browser.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: `http://127.0.0.1:${port}`,
    // Tracing costs a quarter of the time: enable it to investigate a failure.
    trace: process.env["KITH_TRACE"] ? "retain-on-failure" : "off",
    // The service worker costs a sixth of a page's time. Tests of offline pages and push messages allow it.
    serviceWorkers: "block",
    // Without reduced motion, colours would be checked in the middle of a transition.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath,
      env,
      args: [
        "--no-sandbox",
        "--headless=shell",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Pages live for seconds: their scripts cost less interpreted than optimized, a tenth of the tests' time.
        "--js-flags=--no-maglev --no-turbofan",
      ],
    },
  },
  projects: [
    { name: "scripts", testIgnore: "*.noscript.spec.ts" },
    {
      name: "no-scripts",
      use: { javaScriptEnabled: false },
      testIgnore: "*.script.spec.ts",
      grepInvert: /@scripts-only/,
    },
  ],
  webServer: {
    command: "node test/support/browser/serve.ts",
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 90_000,
    stdout: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    env: { KITH_TEST_PORT: String(port) },
  },
});
