import { nameToEmoji } from "gemoji";
import { getOwn } from "#platform/own-property";

/** What other places call by other names. */
const OTHERS: Record<string, string> = {
  slight_smile: "slightly_smiling_face",
  simple_smile: "slightly_smiling_face",
  thumbsup: "+1",
  thumbsdown: "-1",
};

/** `:tada:` as 🎉; a name that nobody knows stays a name. Shades of skin are left out. */
export function emojiOf(name: string): string {
  const plain = name.replace(/^:|:$/g, "").replace(/::?(?:skin-tone-\d|t\d)$/, "");
  return getOwn(nameToEmoji, getOwn(OTHERS, plain) ?? plain) ?? (/^[\w+-]+$/.test(plain) ? `:${plain}:` : name);
}
