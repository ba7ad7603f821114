import { nameToEmoji } from "gemoji";
import { getOwnProperty } from "#platform/objects";

/** Emoji names that only other platforms use. */
const ALIASES: Record<string, string> = {
  slight_smile: "slightly_smiling_face",
  simple_smile: "slightly_smiling_face",
  thumbsup: "+1",
  thumbsdown: "-1",
};

/** The emoji for a name such as `:tada:`. An unknown name is returned as text; skin tones are dropped. */
export function findEmoji(name: string): string {
  const plain = name.replace(/^:|:$/g, "").replace(/::?(?:skin-tone-\d|t\d)$/, "");
  return (
    getOwnProperty(nameToEmoji, getOwnProperty(ALIASES, plain) ?? plain) ??
    (/^[\w+-]+$/.test(plain) ? `:${plain}:` : name)
  );
}
