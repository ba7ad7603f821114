import { msg } from "#platform/messages";
import { invalidPath } from "./file-errors.ts";
import type { FilePath } from "./types.ts";

const MAX_NAME_LENGTH = 250;
const MAX_PATH_LENGTH = 2_000;
const MAX_DEPTH = 32;
/**
 * Path segments that cannot begin a path, because URLs with them belong to endpoints: `/files/append/…`,
 * `/files/append/binary/…`.
 */
const RESERVED = new Set(["append", "binary"]);
/** Control characters, line breaks and direction overrides, which would make a name look like another. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Parses a path into names, normalized to NFC. Leading, trailing and double slashes are ignored.
 * @throws `invalid` for relative segments, invisible characters, reserved names, and a path that is too long
 * or too deep
 */
export function parsePath(text: string): FilePath {
  if (text.length > MAX_PATH_LENGTH)
    throw invalidPath(msg("A path can have at most {count} characters.", { count: MAX_PATH_LENGTH }));
  const path = text.split("/").flatMap((name) => (name === "" ? [] : [parseName(name)]));
  if (path.length > MAX_DEPTH)
    throw invalidPath(
      msg("{what} can be nested at most {count} levels.", { what: msg("Directories"), count: MAX_DEPTH }),
    );
  if (RESERVED.has(path[0]!))
    throw invalidPath(
      msg("Nothing in the root directory can be called “{path}”: that address is reserved.", {
        path: path[0],
      }),
    );
  return path;
}

/**
 * Parses one name, normalized to NFC.
 * @throws `invalid` as `parsePath` does
 */
export function parseName(text: string): string {
  const name = text.toWellFormed().normalize("NFC");
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidPath(msg("A name must have 1 to {count} characters.", { count: MAX_NAME_LENGTH }));
  if (/^\.+$/.test(name)) throw invalidPath("A name cannot consist of dots only.");
  if (INVISIBLE_CHARACTERS.test(name)) throw invalidPath("A name cannot contain invisible characters.");
  if (/[/\\]/.test(name)) throw invalidPath("A name cannot contain slashes.");
  if (name.trim() !== name) throw invalidPath("A name cannot begin or end with a space.");
  return name;
}
