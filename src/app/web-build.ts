import type { Message } from "#platform/messages";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { EmailRenderer } from "#platform/mail";
import type { PageBundle } from "#web/server";

/**
 * Loads the built pages. React chooses its build by NODE_ENV; the development build takes three times as
 * long, so only `npm run dev` uses it.
 */
export async function loadWebBuild(): Promise<() => Promise<WebBuild>> {
  process.env["NODE_ENV"] = "production";
  const build: WebBuild = await import(pathToFileURL(resolve("build/server/index.js")).href);
  return async () => build;
}

export type WebBuild = PageBundle & { entry: { module: { renderEmailHtml: EmailRenderer } } };

/** Creates the translator of the server; its catalogues are built with the pages. */
export const createTranslator =
  (build: () => Promise<WebBuild>) => async (locale: string, message: Message) =>
    (await build()).entry.module.translateInto(locale, message);

/** Creates the renderer of emails; their templates are built with the pages. */
export const createEmailRenderer =
  (build: () => Promise<WebBuild>): EmailRenderer =>
  async (content) =>
    (await build()).entry.module.renderEmailHtml(content);
