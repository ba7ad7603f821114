import { useEffect, useRef } from "react";
import { useFormResult } from "./use-form-result.ts";
import { findRejectedForm } from "./form-result.ts";

/**
 * Shows why the last action on this page was refused, unless its form shows the reason itself (`except`
 * lists the intents of such forms).
 */
export function RefusalNotice({ except = [] }: { except?: string[] }) {
  const refused = findRejectedForm(useFormResult());
  const box = useRef<HTMLDivElement>(null);
  const mine = refused && !except.includes(refused.typed["intent"] ?? "") ? refused.refused : undefined;
  useEffect(() => {
    if (mine) box.current?.focus();
  }, [mine]);
  if (!mine) return null;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="notice mb-4" data-tone="bad">
      <p>{Object.values(mine.fields)[0] ?? mine.message}</p>
    </div>
  );
}
