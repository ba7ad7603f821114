import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // The browser knows all routes from the start: a few KB instead of further requests.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
