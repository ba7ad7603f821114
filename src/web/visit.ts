import { createContext, data, type LoaderFunctionArgs, type RouterContextProvider } from "react-router";
import { type Viewer, isSignedIn, type SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Self } from "#community/people";
import type { House } from "./house.ts";
import { answerTo } from "./answers.ts";
import { type Given, givenIn } from "./given-back.ts";
import { readForm } from "./form-body.ts";
import type { TextSize } from "./text-size.ts";
import { typedInto } from "./typed.ts";
import { sayWhole, wordsFor } from "./words/index.ts";

/** One request to the web: who came, in which language, and what is to go back beside the page. */
export type Visit = {
  house: House;
  viewer: Viewer;
  /** The signed-in person as the shell shows them; null for a guest. */
  me: Self | null;
  /** They have yet to answer what is asked of everybody. */
  lacksAnswers: boolean;
  /** They look after the place, and may not before they have set up the second step. */
  staffRests: boolean;
  sessionId: string | null;
  /** Who stays signed in on this device: there, what they read may be kept (decision 75). */
  reader: string | null;
  locale: string;
  theme: "system" | "light" | "dark";
  textSize: TextSize;
  timeZone: string;
  now: Date;
  nonce: string;
  /** Shown on error pages and written in the log: the one links the other. */
  incident: string;
  from: { address: string; userAgent: string; acceptLanguage: string };
  cookies: ReadonlyMap<string, string>;
  /** `Set-Cookie` lines for the answer. */
  setCookies: string[];
  /** Other headers for the answer, by their lower-case names. */
  headers: Record<string, string>;
  /** More elements for the head of the page, as HTML, where a guest reads it: what programs look for (`for-programs.ts`). */
  head: string;
  /** What was written in a form that has come in: where an error is the answer, it is given back. */
  given: Given | null;
  /** The page, once it is rendered. */
  page: string | null;
  /** What a guest's page shows, by name; the page may be kept until one of them changes. Null: never kept. */
  shows: Set<string> | null;
};

export const visitContext = createContext<Visit>();

type Args = Pick<LoaderFunctionArgs, "request" | "params" | "url"> & { context: Readonly<RouterContextProvider> };
type Asked = {
  visit: Visit;
  viewer: Viewer;
  db: House["db"];
  /** For few questions by keys, such as every page has: those of several visitors go over one line together. */
  quick: House["db"];
  house: House;
  url: URL;
  request: Request;
  params: Record<string, string | undefined>;
};

// `url` is the page's own address; that of the request may be the one under which the router asks for data.
const asked = ({ request, params, url, context }: Args): Asked => {
  const visit = context.get(visitContext);
  return { visit, viewer: visit.viewer, house: visit.house, db: visit.house.db, quick: visit.house.database.shared, url, request, params };
};

/** A loader: what it refuses becomes an answer with the right status. */
export const reading =
  <T>(work: (asked: Asked) => Promise<T>) =>
  async (args: Args): Promise<T> => {
    const it = asked(args);
    try {
      return await work(it);
    } catch (error) {
      throw answerTo(error, it.visit);
    }
  };

/**
 * A sentence of the house in the words of whoever asked. What the server says, a browser does not put into words: it has only
 * those that its pages say by themselves.
 */
export const said = (visit: Visit, sentence: string): string => sayWhole(wordsFor(visit.locale), sentence);

/** A form that was refused, as the page shows it again: the sentence, those beside fields, and what was typed. */
export type Refused = {
  refused: { message: string; fields: Record<string, string>; reason: string; retryAfter?: number };
  typed: Record<string, string>;
};

/**
 * An action: it gets the form as parsed text. A refusal about what was typed shows the page again with everything
 * that was typed (passwords aside); any other refusal is the error page.
 */
export const acting =
  <T>(work: (asked: Asked & { form: FormData }) => Promise<T>) =>
  async (args: Args) => {
    const it = asked(args);
    let typed: Record<string, string> = {};
    try {
      const form = await readForm(args.request);
      typed = typedInto(form);
      it.visit.given = givenIn(form, args.url);
      assertTheirs(it.viewer, form);
      return await work({ ...it, form });
    } catch (error) {
      if (error instanceof Response) throw error;
      const answer = answerTo(error, it.visit);
      if (!(error instanceof Refusal) || ["not-found", "unavailable"].includes(error.reason) || isLostWithPage(error, it.visit, typed))
        throw answer;
      const { reason, retryAfter } = error;
      const message = said(it.visit, error.message);
      const fields = Object.fromEntries(Object.entries(error.fields).map(([name, fault]) => [name, said(it.visit, fault)]));
      return data<Refused>({ refused: { message, fields, reason, retryAfter }, typed }, { status: answer.init?.status ?? 422 });
    }
  };

/** Where guests may write too, and their page has a place for what they wrote. */
const GUESTS_WRITE = ["reply", "comment"];

/** Who has been signed out meanwhile is not shown the form again that they wrote in: what they wrote is given back on a page of its own. */
function isLostWithPage(refusal: Refusal, visit: Visit, typed: Record<string, string>): boolean {
  if (refusal.reason !== "not-signed-in" || isSignedIn(visit.viewer) || visit.given === null) return false;
  return !GUESTS_WRITE.includes(typed["intent"] ?? "") || typed["pollOptions"] !== undefined;
}

/**
 * Forms in which people write name their writer: what stands in the page of one is not said, nor kept, by another who has
 * signed in in the same browser since.
 */
function assertTheirs(viewer: Viewer, form: FormData) {
  const writer = form.get("writer");
  if (writer && isSignedIn(viewer) && viewer.id !== writer)
    throw new Refusal("not-signed-in", "Somebody else is signed in in this browser now. Sign in as yourself to send what you wrote.");
}

/** The viewer as somebody signed in, or the refusal that leads to the sign-in page. */
export function signedIn(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Please sign in first.");
  return viewer;
}

/** Says what a guest's page shows, so that it can be kept until that changes. Without a word the page is not kept. */
export function showing(visit: Visit, ...things: string[]) {
  if (visit.me) return;
  visit.shows ??= new Set();
  for (const thing of things) visit.shows.add(thing);
}
