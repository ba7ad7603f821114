import { useEffect, useRef, useState } from "react";
import type { FetcherWithComponents } from "react-router";
import { loadOptionalChunk } from "../../client/chunk-guard.ts";
import type { PasskeyRequest, PasskeyError } from "./webauthn-browser.ts";
import { isFormResult } from "../../ui/forms/form-result.ts";

/**
 * Two requests in sequence: the response to the first is the challenge, the second sends the device's
 * response.
 */
type PasskeyForms = {
  fetcher: FetcherWithComponents<unknown>;
  action?: string;
  begin: string;
  finish: string;
};

/** Handles the two requests. Both contain the fields of the form that starts them. */
export function usePasskey({ fetcher, action, begin, finish }: PasskeyForms) {
  const [fault, setFault] = useState<PasskeyError | null>(null);
  const [asking, setAsking] = useState(false);
  const fields = useRef<Record<string, string>>({});
  const answered = useRef<unknown>(null);
  const { data, submit } = fetcher;
  useEffect(() => {
    const request = findPasskeyRequest(data);
    if (!request || answered.current === request) return;
    answered.current = request;
    const answer = async () => {
      setAsking(true);
      const given = await answerPasskeyRequest(request);
      setAsking(false);
      if ("fault" in given) return setFault(given.fault);
      await submit(
        { ...fields.current, intent: finish, credential: given.credential },
        { method: "post", action, preventScrollReset: true },
      );
    };
    void answer();
  }, [data, submit, finish, action]);
  return {
    fault,
    busy: asking || fetcher.state !== "idle",
    start(given: Record<string, string>, proof: Record<string, string> = {}) {
      fields.current = given;
      setFault(null);
      void submit(
        { ...given, ...proof, intent: begin },
        { method: "post", action, preventScrollReset: true },
      );
    },
  };
}

const findPasskeyRequest = (answer: unknown): PasskeyRequest | undefined =>
  isFormResult<{ passkey: PasskeyRequest }>(answer, "passkey") ? answer.passkey : undefined;

const answerPasskeyRequest = (request: PasskeyRequest) =>
  loadOptionalChunk(() => import("./webauthn-browser.ts")).then(
    ({ runPasskeyRequest: answerTo }) => answerTo(request),
    () => ({ fault: "failed" as const }),
  );

/** Passkeys are bound to host names, so they do not work at an IP address. */
const IP_ADDRESS = /^[\d.]+$|^\[/;

/** Whether this browser supports passkeys here; null before hydration. */
export function useHasPasskeys(): boolean | null {
  const [has, setHas] = useState<boolean | null>(null);
  useEffect(() => setHas("PublicKeyCredential" in window && !IP_ADDRESS.test(location.hostname)), []);
  return has;
}
