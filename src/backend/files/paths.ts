import { badPath } from "./faults.ts";
import type { Path } from "./types.ts";

const LONGEST_NAME = 250;
const LONGEST_PATH = 2_000;
const DEEPEST = 32;
/**
 * First path segments that could not be told from the address of a call: `/files/append/…`,
 * `/files/append/binary/…`.
 */
const RESERVED = new Set(["append", "binary"]);
/** Control characters, line breaks and direction overrides: a name must be what it looks like. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Parses a path into names, normalized to NFC. Leading, trailing and double slashes are ignored.
 * @throws `invalid` for relative or invisible names, for too long or too deep a path, and for reserved names
 */
export function pathOf(text: string): Path {
  if (text.length > LONGEST_PATH) throw badPath(`A path has ${LONGEST_PATH} characters at the most.`);
  const path = text.split("/").flatMap((name) => (name === "" ? [] : [nameOf(name)]));
  if (path.length > DEEPEST) throw badPath(`Directories stand ${DEEPEST} deep in one another at the most.`);
  if (RESERVED.has(path[0]!)) throw badPath(`Nothing at the top can be called “${path[0]}”: that address means something else.`);
  return path;
}

/**
 * Parses one name, normalized to NFC.
 * @throws `invalid` as `parsePath` does
 */
export function nameOf(text: string): string {
  const name = text.toWellFormed().normalize("NFC");
  if (name === "" || name.length > LONGEST_NAME) throw badPath(`A name has 1 to ${LONGEST_NAME} characters.`);
  if (/^\.+$/.test(name)) throw badPath("A name is not made of dots alone.");
  if (UNSEEN.test(name)) throw badPath("A name has no signs that cannot be seen.");
  if (/[/\\]/.test(name)) throw badPath("A name has no slashes in it.");
  if (name.trim() !== name) throw badPath("A name neither begins nor ends with a space.");
  return name;
}
