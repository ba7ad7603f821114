import { useEffect, useRef, useState } from "react";
import type { ProofChallenge } from "#community/prevention";
import { useTranslate } from "../../i18n/index.ts";

type Props = {
  challenge: ProofChallenge;
  /** States what happens to a form without a proof: one of a browser without scripts, or without https. */
  withoutProof: string;
};

/**
 * Solves a proof of work while the person fills in the form, and adds it to the form. A form that is sent
 * earlier waits for it.
 */
export function ProofField({ challenge, withoutProof }: Props) {
  const t = useTranslate();
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"solving" | "waiting" | "solved" | "impossible">("solving");
  useEffect(() => {
    const form = field.current?.form;
    if (!form) return;
    const stop = new AbortController();
    let isDone = false;
    let held: { submitter: HTMLElement | null } | null = null;
    const finish = (proof: string | null) => {
      if (stop.signal.aborted) return;
      isDone = true;
      if (field.current) field.current.value = proof ?? "";
      setState(proof === null ? "impossible" : "solved");
      if (held) form.requestSubmit(held.submitter);
    };
    // Capturing: neither the router nor the browser sends the form before it has its proof.
    const hold = (event: SubmitEvent) => {
      if (isDone) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      held = { submitter: event.submitter };
      setState("waiting");
    };
    form.addEventListener("submit", hold, { capture: true, signal: stop.signal });
    setState("solving");
    field.current!.value = "";
    void import("../../client/solve-proof.ts")
      .then(({ solveProof }) => solveProof(challenge, stop.signal))
      .catch(() => null)
      .then(finish);
    return () => stop.abort();
  }, [challenge]);
  return (
    <div data-wake>
      <input ref={field} type="hidden" name="proof" />
      <p role="status" className="hint">
        {state === "waiting" && t("Your browser solves a short task against spam, then the form is sent…")}
        {state === "impossible" && withoutProof}
      </p>
      <noscript>
        <p className="hint">{withoutProof}</p>
      </noscript>
    </div>
  );
}
