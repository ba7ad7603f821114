import { defineConfig } from "vitest/config";
import { evaluateHelpersPerFile, listUnitTests, WORKERS } from "./test/support/setup/test-projects.ts";

const common = {
  // Each worker has its own database and runs its files one after another.
  pool: "forks",
  // A hanging test must end; a slow machine is no failure.
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const;
const unitTests = listUnitTests();

/** Tests whose files share modules. A worker ends with its project, since it keeps what files have loaded. */
const sharing = (name: string, include: string[], exclude = unitTests) => ({
  plugins: [evaluateHelpersPerFile()],
  test: { ...common, name, include, exclude, isolate: false },
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
      {
        test: {
          ...common,
          name: "processes",
          include: ["src/{app,commands,platform}/**/*.test.ts", "test/**/*.test.ts"],
          exclude: unitTests,
        },
      },
    ],
  },
});
