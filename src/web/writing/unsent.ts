import { useEffect, useRef, useState } from "react";
import type { Draft } from "#community/discussions";
import { onLineState } from "../client/live.ts";
import { urls } from "../urls.ts";
import { deliver, type Outcome, type Sent } from "./deliver.ts";

/** A reply or message on its way, or one that did not get there. */
export type Unsent = {
  /** Its client id: under this name it is stored once, however often it is sent. */
  id: string;
  body: string;
  /** Who said it: nobody else sends it. */
  writer?: string;
  replyTo?: string;
  /** The version of the draft that it was: once it is sent, it is none any more. */
  draftVersion?: string;
  state: "sending" | "sent" | "failed";
  /** Once it is sent: which post it is; null for what waits until somebody has looked at it, and has its own place on the page. */
  number?: number | null;
  failed?: string;
  sentence?: string | null;
  /** The moment from which on it makes sense again, where that was said. */
  again?: number | undefined;
};

/** What a form asks to be sent. */
export type Said = Pick<Unsent, "body" | "writer" | "replyTo" | "draftVersion">;

export function saidIn(form: FormData): Said {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const [writer, replyTo, draftVersion] = [text("writer"), text("replyTo"), text("draftVersion")];
  return { body: text("body"), ...(writer && { writer }), ...(replyTo && { replyTo }), ...(draftVersion && { draftVersion }) };
}

type Options = {
  /** The discussion or conversation it is for, as drafts name it, and what the page found kept there. */
  place: string;
  draft: Pick<Draft, "version" | "body"> | null;
  /** The address that takes it. */
  to: string;
  /** Whose words they are: nobody else of this browser is shown them. */
  personId: string | undefined;
  onSent: (sent: Sent) => void;
};

/**
 * Replies, or messages, that are sent in the background, one after another. Until one has arrived it is kept in this tab, so that it
 * outlives a reload and signing in again; it does not outlive the tab, which others may use after it. What waits here does not stand in
 * the box as well; its draft goes when it is sent, or thrown away.
 */
export function useUnsent({ place, draft, to, personId, onSent }: Options) {
  const [items, setItems] = useState<Unsent[]>([]);
  const queue = useRef(Promise.resolve());
  const arrived = useRef(onSent);
  useEffect(() => void (arrived.current = onSent));
  // What was said in which order, and what of it waits for a connection: nothing overtakes it.
  const order = useRef<string[]>([]);
  const lost = useRef(new Set<string>());
  const back = useRef(() => {});
  const kept = `kith:unsent:${personId}:${place.replace(/^\w+:/, "")}`;

  const change = (id: string, next: Partial<Unsent> | null) => {
    setItems((all) => all.flatMap((it) => (it.id !== id ? [it] : next ? [{ ...it, ...next }] : [])));
    write(kept, (all) => all.flatMap((it) => (it.id !== id ? [it] : next && next.state !== "sent" ? [{ ...it, ...next }] : [])));
  };
  const go = (item: Unsent) => {
    lost.current.delete(item.id);
    change(item.id, { state: "sending" });
    const inTurn = async (theirs: Promise<void>) => {
      await theirs;
      const before = order.current.slice(0, order.current.indexOf(item.id));
      const outcome = before.some((id) => lost.current.has(id)) ? WAITS : await post(to, item);
      if ("failed" in outcome && outcome.failed === "lost") lost.current.add(item.id);
      change(item.id, "number" in outcome ? { state: "sent", number: outcome.number } : whyNot(outcome));
      if (!("number" in outcome)) return;
      arrived.current(outcome);
      // One has got through: so may those that waited behind it.
      back.current();
    };
    queue.current = inTurn(queue.current);
  };
  const send = (said: Said) => {
    const item: Unsent = { ...said, id: newId(), state: "sending" };
    order.current.push(item.id);
    setItems((all) => [...all, item]);
    write(kept, (all) => [...all, item]);
    go(item);
  };

  useEffect(() => {
    if (!personId) return;
    const found = read(kept).map(foundAgain);
    order.current = found.map(({ id }) => id);
    lost.current = new Set(found.filter((it) => it.failed === "lost").map(({ id }) => id));
    setItems(found);
    if (draft && found.some((it) => it.draftVersion === String(draft.version) || it.body.trim() === draft.body.trim()))
      takeFromBox(place, draft.body);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what stood in the box when the page came
  }, [kept, personId]);
  useEffect(() => void (back.current = () => items.forEach((it) => it.state === "failed" && it.failed === "lost" && go(it))));
  useEffect(() => {
    const again = () => back.current();
    addEventListener("online", again);
    const stop = onLineState((state) => state === "open" && again());
    return () => {
      stop();
      removeEventListener("online", again);
    };
  }, []);
  const discard = (id: string) => {
    lost.current.delete(id);
    const { draftVersion: version, writer = "" } = items.find((it) => it.id === id) ?? {};
    const emptied = { place, version: version ?? "", writer, body: "" };
    if (version) void fetch(urls.keepDraft(), { method: "POST", body: new URLSearchParams(emptied), keepalive: true }).catch(() => {});
    change(id, null);
  };
  return { items, send, retry: go, discard };
}

const whyNot = ({ failed, sentence, retryAfter }: Extract<Outcome, { failed: string }>): Partial<Unsent> => ({
  state: "failed",
  failed,
  sentence,
  again: retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000,
});

/** As it is found when the page comes again: with the reason that was known, as far as it still holds. */
function foundAgain(it: Unsent): Unsent {
  if (it.state !== "failed") return { ...it, state: "failed", failed: "interrupted", sentence: null, again: undefined };
  // Only its author finds it: they have signed in again.
  if (it.failed === "not-signed-in") return { ...it, failed: "signed-in-again", sentence: null };
  // A sentence that says how long to wait counts from a moment that is over.
  return it.again === undefined ? it : { ...it, sentence: null };
}

/** Empties the box of a place, if what stands there is still the draft. */
function takeFromBox(place: string, draft: string) {
  const field = document.querySelector<HTMLTextAreaElement>(
    `form[data-place="${place}"]:not([data-composer="edit"]) textarea[name="body"]`,
  );
  if (field?.value.trim() === draft.trim()) field.value = "";
}

/** The answer for what is not tried while something said before it has not got through. */
const WAITS: Outcome = { failed: "lost", sentence: null };

const post = (to: string, { id, body, writer, replyTo, draftVersion }: Unsent): Promise<Outcome> =>
  deliver(
    () =>
      fetch(to, {
        method: "POST",
        body: new URLSearchParams({
          body,
          clientId: id,
          ...(writer && { writer }),
          ...(replyTo && { replyTo }),
          ...(draftVersion && { draftVersion }),
        }),
      }),
    (ms) => new Promise((rest) => setTimeout(rest, ms)),
  );

/** `crypto.randomUUID` is there for https only; a house may be reached without. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function read(key: string): Unsent[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter((it): it is Unsent => typeof it?.id === "string" && typeof it?.body === "string") : [];
  } catch {
    return [];
  }
}

/** A browser may refuse to keep anything: then the words live as long as the page. */
function write(key: string, change: (all: Unsent[]) => Unsent[]) {
  try {
    const all = change(read(key));
    if (all.length > 0) sessionStorage.setItem(key, JSON.stringify(all));
    else sessionStorage.removeItem(key);
  } catch {
    return;
  }
}
