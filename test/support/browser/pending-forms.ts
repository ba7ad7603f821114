import type { BrowserContext, Page, Request } from "@playwright/test";

/** Background requests, for which no test waits. */
const BACKGROUND_REQUEST = /^\/(drafts|live)\/|\/seen$/;
export const isBackgroundRequest = ({ pathname }: URL) => BACKGROUND_REQUEST.test(pathname);

/** Forms that pages of the current test are sending, with their responses. */
const pending = new Map<Request, Promise<unknown>>();

/** Notes the forms that pages of a context send, for `waitForPendingForms`. */
export function noteForms(context: BrowserContext) {
  context.on("request", (request) => {
    if (request.method() !== "POST" || isBackgroundRequest(new URL(request.url()))) return;
    const response = request.response().catch(() => null);
    pending.set(request, response);
    void response.then(() => pending.delete(request));
  });
}

/**
 * Waits until the forms that pages of this test are sending have been answered. Without it, a page opened right
 * after a click may be loaded before the form has had its effect.
 */
export async function waitForPendingForms(page: Page) {
  // The answer arrives after the requests that the page has sent before.
  await page.evaluate(() => {}).catch(() => {});
  await Promise.all(pending.values());
}
