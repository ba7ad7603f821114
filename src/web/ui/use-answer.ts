import { useState } from "react";
// oxlint-disable-next-line no-restricted-imports -- this is where it is kept
import { useActionData, useLocation } from "react-router";

/**
 * What this page's form was answered with. The router forgets that as soon as the page is read anew, by whatever happens elsewhere meanwhile;
 * here it holds until something else is sent, or the reader goes on.
 */
export function useAnswer<T = unknown>() {
  const answer = useActionData<T>();
  const { key } = useLocation();
  const [kept, setKept] = useState({ key, answer });
  const holds = kept.key === key;
  if (!holds || (answer !== undefined && answer !== kept.answer)) setKept({ key, answer });
  return answer === undefined && holds ? kept.answer : answer;
}
