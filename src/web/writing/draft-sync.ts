import type { Keeping } from "../discussions/keep-draft.ts";
import { LIMITS } from "#community/rules";
import { TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { asksForPreview } from "./preview.tsx";

export type Clash = { version: number; title: string; body: string; savedAt: string };
export type DraftState =
  | { at: "quiet" | "failed" | "signed-out" }
  | { at: "kept"; savedAt: string }
  /** Another tab or device has written here: nothing is kept until somebody chooses. */
  | { at: "clash"; other: Clash };
type Answer = Omit<Keeping, "draft"> & { draft: Clash };
type Tell = (state: DraftState, since: Answer["since"]) => void;
type Text = Pick<Clash, "title" | "body">;
type Kept = Text & { version: number };

/** What could not be kept is tried again after so long (ms), and after twice as long each time that it fails, up to the longest. */
const AGAIN = { first: 2_000, longest: 60_000 };

/** So many texts of its own a form knows again: answers may be overtaken by what is typed meanwhile. */
const OWN = 4;

/** Watches a form and keeps its title and body on the server once the hands rest, version by version. */
export class DraftSync {
  #form: HTMLFormElement;
  #place: string;
  #version: number;
  /** What the page said last is kept, and what this form has sent to be kept. */
  #said: Kept | null;
  #own: Text[] = [];
  #tell: Tell;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #clashes = false;
  /** Something was typed that is kept nowhere yet. */
  #unkept = false;
  #wait = AGAIN.first;

  constructor(form: HTMLFormElement, place: string, draft: Kept | null, tell: Tell) {
    this.#form = form;
    this.#place = place;
    this.#version = draft?.version ?? 0;
    this.#said = draft;
    this.#tell = tell;
  }

  /** Begins; gives back the way to stop. When it is the first to watch, what was typed before the page woke is kept as well. */
  watch({ first }: { first: boolean }): () => void {
    if (first && this.#typedBefore()) this.#typed();
    this.#form.addEventListener("input", this.#typed);
    this.#form.addEventListener("submit", this.#sayWhich, { capture: true });
    this.#form.addEventListener("submit", this.#submitted);
    document.addEventListener("visibilitychange", this.#atHand);
    addEventListener("online", this.#atHand);
    addEventListener("pagehide", this.#gone);
    return () => {
      this.#gone();
      this.#form.removeEventListener("input", this.#typed);
      this.#form.removeEventListener("submit", this.#sayWhich, { capture: true });
      this.#form.removeEventListener("submit", this.#submitted);
      document.removeEventListener("visibilitychange", this.#atHand);
      removeEventListener("online", this.#atHand);
      removeEventListener("pagehide", this.#gone);
    };
  }

  /** The form was left before anybody watched it: what had been typed there is kept. */
  left() {
    if (this.#typedBefore()) void this.#keep();
  }

  /**
   * The page was read anew and says what is kept now. Where those are this form's words, that is their version; of another's
   * nothing is known, so that they are not written over unseen.
   */
  reread(draft: Kept | null) {
    const before = this.#said;
    this.#said = draft;
    if (before?.version === draft?.version && before?.body === draft?.body && before?.title === draft?.title) return;
    if (draft === null) this.#version = 0;
    else if (this.#isOwn(draft) || isSame(this.#text(), draft)) this.#version = draft.version;
    else if (draft.version >= this.#version) this.#version = 0;
  }

  /** What was sent came back: it goes on being kept. */
  again() {
    const { title, body } = this.#text();
    if (title.trim() || body.trim()) this.#typed();
  }

  /** What stands in the form now goes over what the other wrote. */
  settle(other: Clash) {
    this.#version = other.version;
    this.#clashes = false;
    void this.#keep();
  }

  #typedBefore(): boolean {
    return ["title", "body"].some((name) => {
      const field = this.#form.elements.namedItem(name);
      return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== field.defaultValue;
    });
  }

  #typed = () => {
    this.#unkept = true;
    if (this.#clashes) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keep(), TOKENS.draftPause);
  };

  /** Before the form is read by whoever sends it, which may be the first listener of the form itself: what is sent says which draft it was. */
  #sayWhich = () => {
    const from = this.#form.elements.namedItem("draftVersion");
    if (from instanceof HTMLInputElement) from.value = String(this.#version);
  };

  /** Sending drops the draft it was written from: nothing that is still on its way may bring it back. */
  #submitted = (event: SubmitEvent) => {
    if (asksForPreview(event)) return;
    this.#rest();
    this.#clashes = this.#unkept = false;
    this.#tell({ at: "quiet" }, null);
  };

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** What waits for the hands to rest, or failed before, is kept now: the page is being left or looked at again, or the line is back. */
  #atHand = () => {
    if (this.#unkept && !this.#clashes && this.#asking === undefined) void this.#keep();
  };

  /** What waits to be kept cannot wait for a page that is gone; what waits for a choice is kept behind what the other wrote. */
  #gone = () => {
    if (!this.#clashes) return this.#atHand();
    if (this.#unkept) void this.#ask(null, { beside: true }).catch(() => null);
    this.#unkept = false;
  };

  async #keep(): Promise<void> {
    this.#rest();
    const asking = (this.#asking = new AbortController());
    const answer = await this.#ask(asking.signal).catch(() => null);
    if (asking.signal.aborted) return;
    this.#asking = undefined;
    if (answer === null || typeof answer === "number") return this.#failed(answer);
    this.#wait = AGAIN.first;
    this.#clashes = !answer.kept && !isSame(this.#text(), answer.draft);
    if (this.#clashes && this.#version !== answer.draft.version && this.#isOwn(answer.draft)) {
      this.#version = answer.draft.version;
      return this.#keep();
    }
    if (!this.#clashes) this.#version = answer.draft.version;
    // The texts are the same, and so nobody is asked: of the rest the last one counts.
    if (!answer.kept && !this.#clashes) return this.#keep();
    // What was typed meanwhile has begun to wait.
    if (!this.#clashes) this.#unkept = this.#timer !== undefined;
    this.#tell(this.#clashes ? { at: "clash", other: answer.draft } : { at: "kept", savedAt: answer.draft.savedAt }, answer.since);
  }

  /** Where there was no answer, or the house is not well, there may be one later; a refusal stays one until something changes. */
  #failed(status: number | null) {
    if (status === null || status === 429 || status >= 500) {
      this.#timer ??= setTimeout(() => void this.#keep(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, AGAIN.longest);
    }
    this.#tell({ at: status === 401 ? "signed-out" : "failed" }, null);
  }

  #isOwn = (text: Text) => this.#own.some((own) => isSame(own, text));

  #text(): Text {
    const typed = new FormData(this.#form);
    return { title: String(typed.get("title") ?? ""), body: String(typed.get("body") ?? "") };
  }

  /** The answer, or the status of a refusal. */
  async #ask(signal: AbortSignal | null, { beside = false } = {}): Promise<Answer | number> {
    const typed = new FormData(this.#form);
    this.#own = [this.#text(), ...this.#own].slice(0, OWN);
    const body = new URLSearchParams({ place: this.#place, version: String(this.#version) });
    for (const name of ["title", "body", "seen", "writer"]) if (typed.has(name)) body.set(name, String(typed.get(name)));
    if (beside) body.set("beside", "1");
    const more = Object.keys(LIMITS.draftMore).filter((name) => typed.has(name));
    body.set("more", JSON.stringify(Object.fromEntries(more.map((name) => [name, String(typed.get(name))]))));
    // What is kept while one leaves has to arrive without the page; only short texts may travel so.
    const answer = await fetch(urls.keepDraft(), { method: "POST", body, signal, keepalive: body.toString().length < 60_000 });
    return answer.ok ? ((await answer.json()) as Answer) : answer.status;
  }
}

/** But for the blanks around them, which a server takes away. */
const isSame = (one: Text, other: Text) => one.body.trim() === other.body.trim() && one.title.trim() === other.title.trim();
