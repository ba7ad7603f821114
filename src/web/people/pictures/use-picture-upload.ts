import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../../ui/forms/form-result.ts";

type UploadState = { share: number | null; faults: Record<string, string> };

/**
 * Uploads a form in the background, since only such uploads report progress and can be aborted. `to`:
 * address of the upload, which returns field errors; `then`: page to open afterwards. Without `to`, the form
 * is submitted normally.
 */
export function usePictureUpload(to: string | undefined, then: string | undefined) {
  const t = useTranslate();
  const lost = { picture: t("The picture did not arrive. Try again.") };
  const [state, setState] = useState<UploadState>({ share: null, faults: {} });
  const request = useRef<XMLHttpRequest | null>(null);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  useEffect(() => () => request.current?.abort(), []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (!to || !then) return;
    event.preventDefault();
    if (request.current) return;
    const failed = (faults: Record<string, string>) => {
      request.current = null;
      setState({ share: null, faults });
    };
    const sending = new XMLHttpRequest();
    request.current = sending;
    sending.open("POST", to);
    sending.responseType = "json";
    sending.upload.addEventListener("progress", ({ loaded, total }) =>
      setState({ share: total > 0 ? loaded / total : 0, faults: {} }),
    );
    sending.addEventListener("error", () => failed(lost));
    sending.addEventListener("abort", () => failed({}));
    sending.addEventListener("load", () => {
      if (sending.status !== 200) return failed(findFieldErrors(sending.response) ?? lost);
      void Promise.resolve(navigate(then)).then(() => revalidate());
    });
    setState({ share: 0, faults: {} });
    sending.send(new FormData(event.currentTarget));
  };
  return { ...state, submit, cancel: () => request.current?.abort() };
}

/** Returns the field errors of a refusal, or null for any other response. */
function findFieldErrors(response: unknown): Record<string, string> | null {
  const refused = findRejectedForm(response)?.refused;
  if (!refused) return null;
  return Object.keys(refused.fields).length > 0 ? refused.fields : { picture: refused.message };
}
