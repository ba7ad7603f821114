import { defineConfig } from "vitest/config";
import { sharing } from "./test/setup/sharing.ts";

const common = {
  // Each worker has a database of its own; files within one run after another.
  pool: "forks",
  // What hangs shall end; a busy machine is no fault.
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const;

/** Where modules remember nothing by themselves. Importing them anew for each file would take longer than the tests. */
const together = sharing("src/{community,backend,platform/outbox,relay,wire/{rest,search}}/**/*.test.ts");

export default defineConfig({
  test: {
    globalSetup: "test/setup/cluster.ts",
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: "together", include: together, isolate: false } },
      { test: { ...common, name: "apart", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: together } },
    ],
  },
});
