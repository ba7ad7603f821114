import type { Message } from "#platform/messages";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import type { EmailRenderer } from "#platform/mail";

/**
 * Loads the built pages. React chooses its build by NODE_ENV; the development build takes three times as
 * long, so only `npm run dev` uses it.
 */
export async function loadWebBuild(): Promise<() => Promise<ServerBuild>> {
  process.env["NODE_ENV"] = "production";
  const build = (await import(pathToFileURL(resolve("build/server/index.js")).href)) as ServerBuild;
  return async () => build;
}

type WebBuild = ServerBuild & {
  entry: {
    module: { renderEmailHtml: EmailRenderer; translateInto: (locale: string, message: Message) => string };
  };
};

/** Creates the translator of the server; its catalogues are built with the pages. */
export const createTranslator =
  (build: () => Promise<ServerBuild>) => async (locale: string, message: Message) =>
    ((await build()) as WebBuild).entry.module.translateInto(locale, message);

/** Creates the renderer of emails; their templates are built with the pages. */
export const createEmailRenderer =
  (build: () => Promise<ServerBuild>): EmailRenderer =>
  async (content) =>
    ((await build()) as WebBuild).entry.module.renderEmailHtml(content);
