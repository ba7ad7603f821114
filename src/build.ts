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

type Built = ServerBuild & { entry: { module: { faceOf: Face; sayIn: (locale: string, sentence: string) => string } } };

/** A sentence of the house in somebody's language: the catalogues are built with the pages, too. */
export const sayingIn = (build: () => Promise<ServerBuild>) => async (locale: string, sentence: string) =>
  ((await build()) as Built).entry.module.sayIn(locale, sentence);

/** What mails look like: their templates are built with the pages. */
export const facesIn =
  (build: () => Promise<ServerBuild>): Face =>
  async (letter) =>
    ((await build()) as Built).entry.module.faceOf(letter);
