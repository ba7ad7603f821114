/**
 * The character set that bytes are really in: UTF-8 wherever they are valid as that, then what they are said to be in, then
 * windows-1252. Labels are often wrong (`us-ascii`, `unknown-8bit`, a language after a star), and no text in another set is
 * valid UTF-8 by chance once it has a few letters beyond ASCII.
 */
export function charsetOf(bytes: Uint8Array, label: string | undefined): string {
  const named = known(label);
  // These say all they have to say in seven bits.
  if (named !== null && /^(?:iso-2022|utf-16|utf-7|hz-)/.test(named)) return named;
  if (isUtf8(bytes)) return "utf-8";
  return named === null || named === "utf-8" || /^(?:us-)?ascii$/.test(named) ? "windows-1252" : named;
}

function known(label: string | undefined): string | null {
  const bare = (label ?? "")
    .replace(/\*.*$/, "")
    .replace(/^["'\s]+|["'\s;]+$/g, "")
    .toLowerCase();
  const plain = ALIASES[bare] ?? bare;
  try {
    return plain === "" ? null : (new TextDecoder(plain), plain === "utf8" ? "utf-8" : plain);
  } catch {
    return null;
  }
}

/** Names of sets that mail has and the web has not. */
const ALIASES: Record<string, string> = Object.assign(Object.create(null) as Record<string, string>, {
  cp932: "shift_jis",
  "windows-31j": "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  "iso-8859-8-i": "iso-8859-8",
  "x-unknown": "",
});

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Text of these bytes, in the set that they are really in. */
export const decodeBytes = (bytes: Uint8Array, label?: string): string => new TextDecoder(charsetOf(bytes, label)).decode(bytes);
