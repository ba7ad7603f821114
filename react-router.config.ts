import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // All routes are known to the browser from the start: a few KB, and no further request to learn of one.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
