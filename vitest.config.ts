import { defineConfig } from "vitest/config";
import { listModuleSharingTests } from "./test/support/setup/shared-modules.ts";
import { listUnitTests, WORKERS } from "./test/support/setup/test-projects.ts";

const common = {
  // Each worker has its own database and runs its files one after another.
  pool: "forks",
  // A hanging test must end; a slow machine is no failure.
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const;

const unitTests = listUnitTests();
/** Modules here keep no state. Importing them anew for each file would take longer than the tests. */
const sharingTests = listModuleSharingTests(
  "src/{community,baas,platform/outbox,event-handlers,api/{rest,search}}/**/*.test.ts",
).filter((path) => !unitTests.includes(path));

export default defineConfig({
  test: {
    globalSetup: "test/support/setup/global-setup.ts",
    maxWorkers: WORKERS,
    projects: [
      { test: { ...common, name: "unit", include: unitTests, isolate: false } },
      { test: { ...common, name: "together", include: sharingTests, isolate: false } },
      {
        test: {
          ...common,
          name: "apart",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...unitTests, ...sharingTests],
        },
      },
    ],
  },
});
