import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";

/**
 * The pages as they were built. React chooses by NODE_ENV which of its two builds makes them: the one for development
 * takes three times as long, so it is only for `npm run dev`, whatever else the environment is for.
 */
export async function builtPages(): Promise<() => Promise<ServerBuild>> {
  process.env["NODE_ENV"] = "production";
  const build = (await import(pathToFileURL(resolve("build/server/index.js")).href)) as ServerBuild;
  return async () => build;
}
