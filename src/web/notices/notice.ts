import { redirect } from "react-router";
import type { Message } from "#platform/messages";
import { cookie, NOTICE_COOKIE } from "../cookies.ts";
import { PREFETCH_HEADER } from "../prefetch-header.ts";
import type { RequestContext } from "../request-context.ts";
import { translateFor } from "../translate-for.ts";
import { renderNoticeToast } from "./notice-toast.tsx";
import type { UndoRequest } from "./undo-commands.ts";

/** Message about an action that succeeded, with the command that undoes it. */
export type Notice = { message: Message; undo?: UndoRequest | undefined };

/** Where a form leads, with the notice that the next page shows. */
export type FormOutcome = { to: string; notice?: Notice | undefined };

/** Seconds within which the next page must be opened to show the notice. */
const COOKIE_SECONDS = 30;
const PURPOSE = "notice";
/** Maximum characters of a name or title in a notice. */
const MAX_NAME = 80;

type SealedNotice = Notice & { personId: string };

/** Redirects after a form, and shows the notice on the next page. */
export function redirectWithNotice(ctx: RequestContext, { to, notice }: FormOutcome): Response {
  if (notice) addNotice(ctx, notice);
  return redirect(to);
}

/**
 * Shows a notice on the next page of the viewer. It travels in a sealed cookie, so that every process can show
 * it, and only to the person who acted.
 */
export function addNotice(ctx: RequestContext, notice: Notice): void {
  if (!ctx.me) return;
  const sealed: SealedNotice = { ...notice, personId: ctx.me.id };
  ctx.setCookies.push(
    cookie.set(NOTICE_COOKIE, ctx.app.sealer.seal(PURPOSE, sealed, ctx.now), COOKIE_SECONDS),
  );
}

/** Shortens a name or title for a notice, whose cookie has a limited size. */
export const shortName = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1).toWellFormed()}…` : name;

/**
 * Reads the notice for this page, with the address to return to after an undo. The response then deletes the
 * cookie, unless it redirects. A prefetch leaves the notice to the page that is opened.
 */
export function readNotice(ctx: RequestContext, request: Request, { pathname, search }: URL) {
  const sealed = ctx.cookies.get(NOTICE_COOKIE);
  if (!sealed || !ctx.me || request.headers.has(PREFETCH_HEADER)) return null;
  ctx.readsNotice = true;
  const notice = ctx.app.sealer.unseal<SealedNotice>(PURPOSE, sealed, ctx.now, COOKIE_SECONDS * 1_000);
  if (notice?.personId !== ctx.me.id) return null;
  const { message, undo, sealedAt } = notice;
  const html = renderNoticeToast({
    text: translateFor(ctx, message),
    undo: undo && { ...undo, label: translateFor(ctx, "Undo") },
    close: translateFor(ctx, "Close"),
    back: pathname + search,
  });
  ctx.noticeHtml = html;
  return { id: sealedAt, html };
}
