import { useEffect, useRef, useState } from "react";
import type { Draft } from "#community/discussions";
import { onConnectionState } from "../client/live-state.ts";
import { urls } from "../urls.ts";
import { setFieldText } from "./set-field-text.ts";
import { sendWithRetry, type SendOutcome, type SentPost } from "./send-with-retry.ts";

/** A reply or message that is being sent, or whose sending failed. */
export type UnsentPost = {
  /** Client id: a post sent again with the same id is stored once. */
  id: string;
  body: string;
  /** Id of the writer: the text is not sent in another person's session. */
  writer?: string;
  replyTo?: string;
  /** Version of the writer's draft, which is deleted once the text is sent. */
  draftVersion?: string;
  state: "sending" | "sent" | "failed";
  /**
   * The post's number once it is sent; null for a post that awaits approval, which is shown elsewhere on the
   * page.
   */
  number?: number | null;
  failed?: string;
  sentence?: string | null;
  /** Time from which a retry can succeed, if known. */
  again?: number | undefined;
};

/** Form values to be sent. */
export type PostInput = Pick<UnsentPost, "body" | "writer" | "replyTo" | "draftVersion">;

export function readPostInput(form: FormData): PostInput {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const [writer, replyTo, draftVersion] = [text("writer"), text("replyTo"), text("draftVersion")];
  return {
    body: text("body"),
    ...(writer && { writer }),
    ...(replyTo && { replyTo }),
    ...(draftVersion && { draftVersion }),
  };
}

type UnsentOptions = {
  /** The discussion or conversation, as a draft target. */
  target: string;
  /** The saved draft for this target. */
  draft: Pick<Draft, "version" | "body"> | null;
  /** The address to send to. */
  to: string;
  /** Id of the author. Unsent texts are not shown to other people who use this browser. */
  personId: string | undefined;
  onSent: (sent: SentPost) => void;
};

/**
 * Sends replies or messages in the background, one after another. Unsent texts are stored in this tab's
 * session storage: they survive a reload and signing in again, but not closing the tab, since others may use
 * the browser later. The text field does not show them as a draft too; the draft is deleted when the text is
 * sent or discarded.
 */
export function useUnsentPosts({ target, draft, to, personId, onSent }: UnsentOptions) {
  const [items, setItems] = useState<UnsentPost[]>([]);
  const queue = useRef(Promise.resolve());
  const arrived = useRef(onSent);
  useEffect(() => void (arrived.current = onSent));
  // Ids of the texts in the order in which they are sent. No text is sent before an earlier one.
  const order = useRef<string[]>([]);
  // Ids of the texts that wait for a connection.
  const lost = useRef(new Set<string>());
  const back = useRef(() => {});
  const storageKey = `kith:unsent:${personId}:${target.replace(/^\w+:/, "")}`;

  const change = (id: string, next: Partial<UnsentPost> | null) => {
    setItems((all) => all.flatMap((it) => (it.id !== id ? [it] : next ? [{ ...it, ...next }] : [])));
    updateStored(storageKey, (all) =>
      all.flatMap((it) => (it.id !== id ? [it] : next && next.state !== "sent" ? [{ ...it, ...next }] : [])),
    );
  };
  const go = (item: UnsentPost) => {
    lost.current.delete(item.id);
    change(item.id, { state: "sending" });
    const inTurn = async (theirs: Promise<void>) => {
      await theirs;
      const before = order.current.slice(0, order.current.indexOf(item.id));
      const outcome = before.some((id) => lost.current.has(id)) ? WAITING : await sendPost(to, item);
      if ("failed" in outcome && outcome.failed === "lost") lost.current.add(item.id);
      change(item.id, "number" in outcome ? { state: "sent", number: outcome.number } : failedState(outcome));
      if (!("number" in outcome)) return;
      arrived.current(outcome);
      // The connection works again, so texts that waited for it are sent too.
      back.current();
    };
    queue.current = inTurn(queue.current);
  };
  const send = (input: PostInput) => {
    const item: UnsentPost = { ...input, id: newId(), state: "sending" };
    order.current.push(item.id);
    setItems((all) => [...all, item]);
    updateStored(storageKey, (all) => [...all, item]);
    go(item);
  };

  useEffect(() => {
    if (!personId) return;
    const found = readStored(storageKey).map(restoreUnsent);
    order.current = found.map(({ id }) => id);
    lost.current = new Set(found.filter((it) => it.failed === "lost").map(({ id }) => id));
    setItems(found);
    if (
      draft &&
      found.some((it) => it.draftVersion === String(draft.version) || it.body.trim() === draft.body.trim())
    )
      clearDraftField(target, draft.body);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- compares the loaded draft only
  }, [storageKey, personId]);
  useEffect(
    () =>
      void (back.current = () =>
        items.forEach((it) => it.state === "failed" && it.failed === "lost" && go(it))),
  );
  useEffect(() => {
    const again = () => back.current();
    addEventListener("online", again);
    const stop = onConnectionState((state) => state === "open" && again());
    return () => {
      stop();
      removeEventListener("online", again);
    };
  }, []);
  const discard = (id: string) => {
    lost.current.delete(id);
    const { draftVersion: version, writer = "" } = items.find((it) => it.id === id) ?? {};
    const emptied = { place: target, version: version ?? "", writer, body: "" };
    if (version)
      void fetch(urls.keepDraft(), {
        method: "POST",
        body: new URLSearchParams(emptied),
        keepalive: true,
      }).catch(() => {});
    change(id, null);
  };
  return { items, send, retry: go, discard };
}

const failedState = ({
  failed,
  sentence,
  retryAfter,
}: Extract<SendOutcome, { failed: string }>): Partial<UnsentPost> => ({
  state: "failed",
  failed,
  sentence,
  again: retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000,
});

/**
 * Restores the state of an unsent text after a reload, and replaces a failure reason that no longer applies.
 */
function restoreUnsent(unsentPost: UnsentPost): UnsentPost {
  if (unsentPost.state !== "failed")
    return { ...unsentPost, state: "failed", failed: "interrupted", sentence: null, again: undefined };
  // Only the signed-in author sees this text, so the author has signed in again.
  if (unsentPost.failed === "not-signed-in")
    return { ...unsentPost, failed: "signed-in-again", sentence: null };
  // A message with a waiting time is dropped, because part of that time has passed.
  return unsentPost.again === undefined ? unsentPost : { ...unsentPost, sentence: null };
}

/** Clears the field of a draft target if it still contains the draft's text. */
function clearDraftField(target: string, draft: string) {
  const field = document.querySelector<HTMLTextAreaElement>(
    `form[data-place="${target}"]:not([data-composer="edit"]) textarea[name="body"]`,
  );
  if (field?.value.trim() === draft.trim()) setFieldText(field, "");
}

/** Outcome of a text that is not sent because an earlier one has not arrived. */
const WAITING: SendOutcome = { failed: "lost", sentence: null };

const sendPost = (
  to: string,
  { id, body, writer, replyTo, draftVersion }: UnsentPost,
): Promise<SendOutcome> =>
  sendWithRetry(
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

/** `crypto.randomUUID` needs https, but an installation may be reached over http. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function readStored(key: string): UnsentPost[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(found)
      ? found.filter((it): it is UnsentPost => typeof it?.id === "string" && typeof it?.body === "string")
      : [];
  } catch {
    return [];
  }
}

/** Where a browser refuses storage, the texts are only kept while the page is open. */
function updateStored(key: string, change: (all: UnsentPost[]) => UnsentPost[]) {
  try {
    const all = change(readStored(key));
    if (all.length > 0) sessionStorage.setItem(key, JSON.stringify(all));
    else sessionStorage.removeItem(key);
  } catch {
    return;
  }
}
