import { useState } from "react";
// oxlint-disable-next-line no-restricted-imports -- this hook is what all other code uses instead
import { useActionData, useLocation } from "react-router";

/**
 * Returns the result of this page's form until another form is sent or the reader navigates. The router's
 * own result would disappear with any revalidation of the page.
 */
export function useFormResult<T = unknown>() {
  const answer = useActionData<T>();
  const { key } = useLocation();
  const [kept, setKept] = useState({ key, answer });
  const holds = kept.key === key;
  if (!holds || (answer !== undefined && answer !== kept.answer)) setKept({ key, answer });
  return answer === undefined && holds ? kept.answer : answer;
}
