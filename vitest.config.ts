import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "test/setup/cluster.ts",
    // Each worker has a database of its own; files within one run after another.
    pool: "forks",
    maxWorkers: 2,
    // What hangs shall end; a busy machine is no fault.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
