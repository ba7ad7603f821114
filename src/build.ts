import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import type { Face } from "#platform/mail";

/**
 * The built pages. React chooses its build by NODE_ENV; the development build takes three times as long, so
 * that it is used by `npm run dev` only.
 */
export async function builtPages(): Promise<() => Promise<ServerBuild>> {
  process.env["NODE_ENV"] = "production";
  const build = (await import(pathToFileURL(resolve("build/server/index.js")).href)) as ServerBuild;
  return async () => build;
}

type Built = ServerBuild & { entry: { module: { faceOf: Face; sayIn: (locale: string, sentence: string) => string } } };

/** Translates on the server: catalogues are built with the pages. */
export const sayingIn = (build: () => Promise<ServerBuild>) => async (locale: string, sentence: string) =>
  ((await build()) as Built).entry.module.sayIn(locale, sentence);

/** Renders emails: their templates are built with the pages. */
export const facesIn =
  (build: () => Promise<ServerBuild>): Face =>
  async (letter) =>
    ((await build()) as Built).entry.module.faceOf(letter);
