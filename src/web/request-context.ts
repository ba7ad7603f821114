import { createContext, data, type LoaderFunctionArgs, type RouterContextProvider } from "react-router";
import { type Viewer, isSignedIn, type SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { SignedInPerson } from "#community/accounts";
import type { WebContext } from "./web-context.ts";
import { toErrorResponse } from "./error-responses.ts";
import { type SubmittedForm, readSubmittedForm } from "./resubmit-form.ts";
import { readForm } from "./form-body.ts";
import type { TextSize } from "./text-size.ts";
import { readTypedValues } from "./typed-values.ts";
import { translateFor } from "./translate-for.ts";

/** Context of one request to the web layer: viewer, language, and what is sent in addition to the page. */
export type RequestContext = {
  app: WebContext;
  viewer: Viewer;
  /** The signed-in person with the data that the layout shows; null for a guest. */
  me: SignedInPerson | null;
  /** Whether required profile answers are missing. */
  lacksAnswers: boolean;
  /** Whether staff rights are suspended until a second factor is set up. */
  lacksStaffTwoFactor: boolean;
  sessionId: string | null;
  /**
   * Id of the person who stays signed in on this device: pages they read may be stored offline (decision
   * 32). Null if there is none.
   */
  reader: string | null;
  locale: string;
  theme: "system" | "light" | "dark";
  textSize: TextSize;
  timeZone: string;
  now: Date;
  nonce: string;
  /** Id that is shown on an error page and logged, so that the log entry can be found. */
  incident: string;
  from: { address: string; userAgent: string; acceptLanguage: string };
  cookies: ReadonlyMap<string, string>;
  /** Values of `Set-Cookie` headers. */
  setCookies: string[];
  /** Other response headers, by lower-case name. */
  headers: Record<string, string>;
  /** More elements for the head of a guest's page (HTML), for crawlers and feed readers (`head-tags.ts`). */
  head: string;
  /** The submitted form, which an error page shows again. */
  submittedForm: SubmittedForm | null;
  /** The page, once it is rendered. */
  page: string | null;
  /** Whether the request carries a notice, which this response shows unless it redirects. */
  readsNotice: boolean;
  /** The toast that the page shows (`notices/notice.ts`), as HTML. */
  noticeHtml: string;
  /** Milliseconds that rendering took. */
  renderTime: number;
  /** Cache tags of a guest's page: it may be cached until one of them changes. Null: it is never cached. */
  shows: Set<string> | null;
};

export const requestContext = createContext<RequestContext>();

type RouteArgs = Pick<LoaderFunctionArgs, "request" | "params" | "url"> & {
  context: Readonly<RouterContextProvider>;
};
type RouteInput = {
  ctx: RequestContext;
  viewer: Viewer;
  db: WebContext["db"];
  app: WebContext;
  url: URL;
  request: Request;
  params: Record<string, string | undefined>;
};

// `url` is the page's own address. `request.url` may be the address under which the router fetches the
// page's data.
const readRouteInput = ({ request, params, url, context }: RouteArgs): RouteInput => {
  const ctx = context.get(requestContext);
  return {
    ctx,
    viewer: ctx.viewer,
    app: ctx.app,
    db: ctx.app.db,
    url,
    request,
    params,
  };
};

/** Defines a loader, whose refusals become responses with the right status. */
export const defineLoader =
  <T>(work: (input: RouteInput) => Promise<T>) =>
  async (args: RouteArgs): Promise<T> => {
    const it = readRouteInput(args);
    try {
      return await work(it);
    } catch (error) {
      throw toErrorResponse(error, it.ctx);
    }
  };

/** A rejected form as the page shows it again: the message, the field errors and the values. */
export type RejectedForm = {
  refused: { message: string; fields: Record<string, string>; reason: string; retryAfter?: number };
  typed: Record<string, string>;
};

/**
 * Defines an action, which gets the parsed form. A refusal about the input renders the page again with all
 * values (except passwords); any other refusal renders the error page. `receive` reads the form instead, for
 * pages whose files are streamed to disk.
 */
export const defineAction =
  <T>(
    work: (asked: RouteInput & { form: FormData }) => Promise<T>,
    receive: (input: RouteInput) => Promise<FormData> = ({ request }) => readForm(request),
  ) =>
  async (args: RouteArgs) => {
    const it = readRouteInput(args);
    let typed: Record<string, string> = {};
    try {
      const form = await receive(it);
      typed = readTypedValues(form);
      it.ctx.submittedForm = readSubmittedForm(form, args.url);
      assertWriter(it.viewer, form);
      return await work({ ...it, form });
    } catch (error) {
      if (error instanceof Response) throw error;
      const answer = toErrorResponse(error, it.ctx);
      if (
        !(error instanceof Refusal) ||
        ["not-found", "unavailable"].includes(error.reason) ||
        isLostWithPage(error, it.ctx, typed)
      )
        throw answer;
      const { reason, retryAfter } = error;
      const message = translateFor(it.ctx, error.descriptor);
      const fields = Object.fromEntries(
        Object.entries(error.fieldDescriptors).map(([name, fault]) => [name, translateFor(it.ctx, fault)]),
      );
      return data<RejectedForm>(
        { refused: { message, fields, reason, retryAfter }, typed },
        { status: answer.init?.status ?? 422 },
      );
    }
  };

/** Intents of forms that guests may submit too. The pages of these forms show a refused text again. */
const GUEST_INTENTS = ["reply", "comment"];

/**
 * Whether the text of a refused form would be lost. After a sign-out the page no longer shows its form, so
 * the text is shown on a separate page.
 */
function isLostWithPage(refusal: Refusal, ctx: RequestContext, typed: Record<string, string>): boolean {
  if (refusal.reason !== "not-signed-in" || isSignedIn(ctx.viewer) || ctx.submittedForm === null)
    return false;
  return !GUEST_INTENTS.includes(typed["intent"] ?? "") || typed["pollOptions"] !== undefined;
}

/**
 * Checks that the writer named in the form is the viewer, so that a text is not sent or saved by another
 * person who has signed in in the same browser since.
 * @throws `not-signed-in` for another writer
 */
function assertWriter(viewer: Viewer, form: FormData) {
  const writer = form.get("writer");
  if (writer && isSignedIn(viewer) && viewer.id !== writer)
    throw new Refusal(
      "not-signed-in",
      "Someone else is signed in in this browser now. Sign in to your account to send your text.",
    );
}

/**
 * Returns the viewer as a signed-in person.
 * @throws `not-signed-in`, which redirects to sign-in
 */
export function requireSignedIn(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Sign in first.");
  return viewer;
}

/**
 * Adds cache tags to a guest's page, which is cached until one of them changes. A page without tags is not
 * cached.
 */
export function addCacheTags(ctx: RequestContext, ...things: string[]) {
  if (ctx.me) return;
  ctx.shows ??= new Set();
  for (const thing of things) ctx.shows.add(thing);
}
