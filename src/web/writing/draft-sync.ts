import type { Keeping } from "../discussions/keep-draft.ts";
import { TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";

export type Clash = { version: number; title: string; body: string; savedAt: string };
export type DraftState =
  | { at: "quiet" | "failed" | "signed-out" }
  | { at: "kept"; savedAt: string }
  /** Another tab or device has written here: nothing is kept until somebody chooses. */
  | { at: "clash"; other: Clash };
type Answer = Omit<Keeping, "draft"> & { draft: Clash };
/** `version`: the one that stands in the form, as far as is known. */
type Tell = (state: DraftState, said: { since: Answer["since"]; version: number }) => void;

/** Watches a form and keeps its title and body on the server once the hands rest, version by version. */
export class DraftSync {
  #form: HTMLFormElement;
  #place: string;
  #version: number;
  #tell: Tell;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #clashes = false;

  constructor(form: HTMLFormElement, place: string, version: number, tell: Tell) {
    this.#form = form;
    this.#place = place;
    this.#version = version;
    this.#tell = tell;
  }

  /** Begins; gives back the way to stop. When it is the first to watch, what was typed before the page woke is kept as well. */
  watch({ first }: { first: boolean }): () => void {
    if (first && this.#typedBefore()) this.#typed();
    this.#form.addEventListener("input", this.#typed);
    this.#form.addEventListener("submit", this.#submitted);
    document.addEventListener("visibilitychange", this.#leaving);
    return () => {
      this.#rest();
      this.#form.removeEventListener("input", this.#typed);
      this.#form.removeEventListener("submit", this.#submitted);
      document.removeEventListener("visibilitychange", this.#leaving);
    };
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
    if (this.#clashes) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keep(), TOKENS.draftPause);
  };

  /** Sending drops the draft: nothing that is still on its way may bring it back. */
  #submitted = (event: SubmitEvent) => {
    if (event.submitter?.getAttribute("name") === "preview") return;
    this.#rest();
    this.#clashes = false;
    this.#say({ at: "quiet" });
  };

  #say(state: DraftState, since: Answer["since"] = null) {
    this.#tell(state, { since, version: this.#version });
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asking?.abort();
  }

  #leaving = () => {
    if (document.visibilityState === "hidden" && this.#timer !== undefined) void this.#keep();
  };

  async #keep() {
    this.#rest();
    const asking = (this.#asking = new AbortController());
    const answer = await this.#ask(asking.signal).catch(() => null);
    if (asking.signal.aborted) return;
    if (answer === null || typeof answer === "number") return this.#say({ at: answer === 401 ? "signed-out" : "failed" });
    this.#clashes = !answer.kept && !this.#says(answer.draft);
    if (!this.#clashes) this.#version = answer.draft.version;
    this.#say(this.#clashes ? { at: "clash", other: answer.draft } : { at: "kept", savedAt: answer.draft.savedAt }, answer.since);
  }

  #says({ title, body }: Clash) {
    const typed = new FormData(this.#form);
    return String(typed.get("body") ?? "") === body && String(typed.get("title") ?? "") === title;
  }

  /** The answer, or the status of a refusal. */
  async #ask(signal: AbortSignal): Promise<Answer | number> {
    const typed = new FormData(this.#form);
    const body = new URLSearchParams({ place: this.#place, version: String(this.#version) });
    for (const name of ["title", "body", "seen"]) if (typed.has(name)) body.set(name, String(typed.get(name)));
    // What is kept while one leaves has to arrive without the page; only short texts may travel so.
    const answer = await fetch(urls.keepDraft(), { method: "POST", body, signal, keepalive: body.toString().length < 60_000 });
    return answer.ok ? ((await answer.json()) as Answer) : answer.status;
  }
}
