import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import type { Face } from "#platform/mail";

/**
 * The pages as they were built. React chooses by NODE_ENV which of its two builds makes them: the one for development
 * takes three times as long, so it is only for `npm run dev`, whatever else the environment is for.
 */
export async function builtPages(): Promise<() => Promise<ServerBuild>> {
  process.env["NODE_ENV"] = "production";
  const build = (await import(pathToFileURL(resolve("build/server/index.js")).href)) as ServerBuild;
  return async () => build;
}

/** What mails look like: their templates are built with the pages. */
export const facesIn =
  (build: () => Promise<ServerBuild>): Face =>
  async (letter) =>
    ((await build()) as ServerBuild & { entry: { module: { faceOf: Face } } }).entry.module.faceOf(letter);
