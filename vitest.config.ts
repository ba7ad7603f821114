import { defineConfig } from "vitest/config";
import { evaluateHelpersPerFile, listUnitTests, WORKERS } from "./test/support/setup/test-projects.ts";

const unitTests = listUnitTests();

/**
 * Tests whose files share loaded modules. A worker ends with its project, because modules stay loaded in it.
 */
const sharing = (name: string, include: string[], exclude = unitTests) => ({
  plugins: [evaluateHelpersPerFile()],
  // The built pages load the production build of React, which lacks the functions of the development build.
  oxc: { jsx: { development: false } },
  test: {
    env: { NODE_ENV: "production" },
    name,
    include,
    exclude,
    // Each worker has its own database and runs its files one after another.
    pool: "forks" as const,
    isolate: false,
    setupFiles: ["test/support/setup/property-cases.ts", "test/support/setup/fast-password-hashes.ts"],
    // The timeout ends a hanging test, and is long enough for a slow machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By default a poll fails after a second, which a busy machine may need for a single answer.
    expect: { poll: { timeout: 30_000 } },
  },
});

export default defineConfig({
  test: {
    globalSetup: "test/support/setup/global-setup.ts",
    maxWorkers: WORKERS,
    projects: [
      sharing("unit", unitTests, []),
      sharing("community", ["src/community/**/*.test.ts"]),
      sharing("api", ["src/{api,baas,event-handlers}/**/*.test.ts"]),
      sharing("web", ["src/web/**/*.test.ts"]),
      sharing("integration", ["src/{app,commands,platform}/**/*.test.ts", "test/**/*.test.ts"]),
    ],
  },
});
