import { useState } from "react";
// oxlint-disable-next-line no-restricted-imports -- this hook is what all other code uses instead
import { useActionData, useLocation } from "react-router";

/**
 * The result of this page's form. The router forgets it as soon as the page revalidates for any reason; here
 * it stays until something else is sent or the reader navigates.
 */
export function useFormResult<T = unknown>() {
  const answer = useActionData<T>();
  const { key } = useLocation();
  const [kept, setKept] = useState({ key, answer });
  const holds = kept.key === key;
  if (!holds || (answer !== undefined && answer !== kept.answer)) setKept({ key, answer });
  return answer === undefined && holds ? kept.answer : answer;
}
