import type { SaveDraftResult } from "../discussions/drafts/save-draft.ts";
import { LIMITS } from "#community/rules";
import { DESIGN_TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { isPreviewSubmit } from "./text-preview.tsx";

export type ConflictingDraft = { version: number; title: string; body: string; savedAt: string };
export type DraftState =
  | { at: "quiet" | "failed" | "signed-out" }
  | { at: "kept"; savedAt: string }
  /** Another tab or device has changed the draft: nothing is saved until the writer chooses. */
  | { at: "clash"; other: ConflictingDraft };
type SaveResponse = Omit<SaveDraftResult, "draft"> & { draft: ConflictingDraft };
type ReportState = (state: DraftState, since: SaveResponse["since"]) => void;
type DraftText = Pick<ConflictingDraft, "title" | "body">;
type SavedDraft = DraftText & { version: number };

/**
 * Milliseconds before a failed save is repeated: `first`, then doubled after each failure up to `longest`.
 */
const RETRY_DELAY = { first: 2_000, longest: 60_000 };

/**
 * Number of recent texts that are remembered, so that the form recognizes its own saves in late responses.
 */
const REMEMBERED_TEXTS = 4;

/** Observes a form and saves its title and body on the server after a pause in typing, version by version. */
export class DraftSync {
  #form: HTMLFormElement;
  #target: string;
  #version: number;
  /** The draft that the page loaded last. */
  #savedDraft: SavedDraft | null;
  #own: DraftText[] = [];
  #report: ReportState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #clashes = false;
  /** Whether there is text that is not saved yet. */
  #unkept = false;
  #wait = RETRY_DELAY.first;

  constructor(form: HTMLFormElement, target: string, draft: SavedDraft | null, report: ReportState) {
    this.#form = form;
    this.#target = target;
    this.#version = draft?.version ?? 0;
    this.#savedDraft = draft;
    this.#report = report;
  }

  /**
   * Starts observing; returns a function that stops. With `first`, also saves text typed before hydration.
   */
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

  /** Saves the text of a form that was closed before it was observed. */
  left() {
    if (this.#typedBefore()) void this.#keep();
  }

  /**
   * Takes over the page's draft after a reload. If this form has sent the draft's text, adopts the draft's
   * version; an unknown text is not overwritten.
   */
  reread(draft: SavedDraft | null) {
    const before = this.#savedDraft;
    this.#savedDraft = draft;
    if (before?.version === draft?.version && before?.body === draft?.body && before?.title === draft?.title)
      return;
    if (draft === null) this.#version = 0;
    else if (this.#isOwn(draft) || isSameText(this.#text(), draft)) this.#version = draft.version;
    else if (draft.version >= this.#version) this.#version = 0;
  }

  /** Saves a submitted text as a draft again, after it was put back into the form. */
  again() {
    const { title, body } = this.#text();
    if (title.trim() || body.trim()) this.#typed();
  }

  /** Resolves a conflict: overwrites the other text with the form's. */
  settle(other: ConflictingDraft) {
    this.#version = other.version;
    this.#clashes = false;
    void this.#keep();
  }

  #typedBefore(): boolean {
    return ["title", "body"].some((name) => {
      const field = this.#form.elements.namedItem(name);
      return (
        (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
        field.value !== field.defaultValue
      );
    });
  }

  #typed = () => {
    this.#unkept = true;
    if (this.#clashes) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keep(), DESIGN_TOKENS.draftPause);
  };

  /**
   * Writes the draft version into the form. It runs in the capture phase, because the form's first submit
   * listener may already read the values.
   */
  #sayWhich = () => {
    const from = this.#form.elements.namedItem("draftVersion");
    if (from instanceof HTMLInputElement) from.value = String(this.#version);
  };

  /** Sending deletes the draft, so saves that are still under way are cancelled. */
  #submitted = (event: SubmitEvent) => {
    if (isPreviewSubmit(event)) return;
    this.#rest();
    this.#clashes = this.#unkept = false;
    this.#report({ at: "quiet" }, null);
  };

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** Saves unsaved or failed text now: the page is being left or shown again, or the network is back. */
  #atHand = () => {
    if (this.#unkept && !this.#clashes && this.#asking === undefined) void this.#keep();
  };

  /**
   * Called when the page is closed: saves unsaved text. During a conflict, the text is saved as an
   * additional draft.
   */
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
    this.#wait = RETRY_DELAY.first;
    this.#clashes = !answer.kept && !isSameText(this.#text(), answer.draft);
    if (this.#clashes && this.#version !== answer.draft.version && this.#isOwn(answer.draft)) {
      this.#version = answer.draft.version;
      return this.#keep();
    }
    if (!this.#clashes) this.#version = answer.draft.version;
    // The texts are equal, so this is no conflict. The save is repeated and overwrites the other fields.
    if (!answer.kept && !this.#clashes) return this.#keep();
    // Text that was typed meanwhile has already scheduled another save.
    if (!this.#clashes) this.#unkept = this.#timer !== undefined;
    this.#report(
      this.#clashes ? { at: "clash", other: answer.draft } : { at: "kept", savedAt: answer.draft.savedAt },
      answer.since,
    );
  }

  /**
   * Retries later after a missing response, a rate limit or a server error. After a refusal, waits until the
   * text changes.
   */
  #failed(status: number | null) {
    if (status === null || status === 429 || status >= 500) {
      this.#timer ??= setTimeout(() => void this.#keep(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, RETRY_DELAY.longest);
    }
    this.#report({ at: status === 401 ? "signed-out" : "failed" }, null);
  }

  #isOwn = (text: DraftText) => this.#own.some((own) => isSameText(own, text));

  #text(): DraftText {
    const typed = new FormData(this.#form);
    return { title: String(typed.get("title") ?? ""), body: String(typed.get("body") ?? "") };
  }

  /** Sends a save request; returns the response, or the status of a refusal. */
  async #ask(signal: AbortSignal | null, { beside = false } = {}): Promise<SaveResponse | number> {
    const typed = new FormData(this.#form);
    this.#own = [this.#text(), ...this.#own].slice(0, REMEMBERED_TEXTS);
    const body = new URLSearchParams({ place: this.#target, version: String(this.#version) });
    for (const name of ["title", "body", "seen", "writer"])
      if (typed.has(name)) body.set(name, String(typed.get(name)));
    if (beside) body.set("beside", "1");
    const more = Object.keys(LIMITS.draftMore).filter((name) => typed.has(name));
    body.set("more", JSON.stringify(Object.fromEntries(more.map((name) => [name, String(typed.get(name))]))));
    // A save on leaving must outlive the page (keepalive). Browsers allow that only for short texts.
    const answer = await fetch(urls.keepDraft(), {
      method: "POST",
      body,
      signal,
      keepalive: body.toString().length < 60_000,
    });
    return answer.ok ? answer.json() : answer.status;
  }
}

/** Compares texts without surrounding whitespace, which the server trims. */
const isSameText = (one: DraftText, other: DraftText) =>
  one.body.trim() === other.body.trim() && one.title.trim() === other.title.trim();
