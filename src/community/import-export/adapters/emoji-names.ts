import { nameToEmoji } from "gemoji";
import { getOwn } from "#platform/own-property";

/** Other platforms' names. */
const ALIASES: Record<string, string> = {
  slight_smile: "slightly_smiling_face",
  simple_smile: "slightly_smiling_face",
  thumbsup: "+1",
  thumbsdown: "-1",
};

/** `:tada:` as 🎉; an unknown name stays a name. Skin tones are dropped. */
export function findEmoji(name: string): string {
  const plain = name.replace(/^:|:$/g, "").replace(/::?(?:skin-tone-\d|t\d)$/, "");
  return (
    getOwn(nameToEmoji, getOwn(ALIASES, plain) ?? plain) ?? (/^[\w+-]+$/.test(plain) ? `:${plain}:` : name)
  );
}
