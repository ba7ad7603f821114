import { type Found, Gathered } from "./found.ts";

/** The words of a plain text in UTF-8, or else in what older machines wrote. `cut`: these are not all of its bytes. */
export function readWords(bytes: Buffer, cut: boolean): Found {
  const gathered = new Gathered();
  gathered.add(decoded(bytes, cut));
  return gathered.found(null, "", cut);
}

/** As UTF-8 where it is that; a sign that was cut in two at the end is no reason to doubt it. */
export function decoded(bytes: Buffer, cut: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
