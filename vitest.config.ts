import { defineConfig } from "vitest/config";
import { evaluateHelpersPerFile, listUnitTests, WORKERS } from "./test/support/setup/test-projects.ts";

const unitTests = listUnitTests();

/** Tests whose files share modules. A worker ends with its project, since it keeps what files have loaded. */
const sharing = (name: string, include: string[], exclude = unitTests) => ({
  plugins: [evaluateHelpersPerFile()],
  // The production build of React, which the built pages load, has no functions for development.
  oxc: { jsx: { development: false } },
  test: {
    env: { NODE_ENV: "production" },
    name,
    include,
    exclude,
    // Each worker has its own database and runs its files one after another.
    pool: "forks" as const,
    isolate: false,
    // A hanging test must end; a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
