import { PassThrough, type Readable } from "node:stream";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

/** An archive to import: a file, a folder or a zip, read in place and never unpacked. */
export type Bundle = {
  name: string;
  /** All files with forward slashes, sorted. */
  names: string[];
  /**
   * The bytes of a file as a stream.
   * @throws `not-found` for a missing file
   */
  read: (name: string) => Promise<Readable>;
  /** Unpacked size in bytes; null for a missing file. */
  sizeOf: (name: string) => number | null;
  close: () => void;
};

export const MAX_FILES = 200_000;
export const MAX_BYTES = 20_000_000_000;

/** Creates the refusal for an existing file that cannot be read. */
export function unreadableFile(name: string, error: NodeJS.ErrnoException): Refusal {
  if (error.code === "EACCES" || error.code === "EPERM")
    return new Refusal("invalid", msg("{name} cannot be read: permission denied.", { name }));
  if (error.code === "ENOENT") return new Refusal("invalid", msg("{name} no longer exists.", { name }));
  return new Refusal(
    "invalid",
    msg("{name} cannot be read: {reason}.", { name, reason: error.message.replace(/\.$/, "") }),
  );
}

/** Wraps a stream so that its errors name the file. */
export function withNamedErrors(name: string, stream: Readable): Readable {
  const named = new PassThrough();
  stream.on("error", (error) => named.destroy(unreadableFile(name, error)));
  named.on("close", () => stream.destroy());
  return stream.pipe(named);
}

export const fileNotFound = (name: string) =>
  new Refusal("not-found", msg("{name} is not in the archive.", { name }));
/** Text compresses to a tenth, sparse tables to a fiftieth. A large file beyond this ratio is a zip bomb. */
const MAX_COMPRESSION_RATIO = 200;
const SMALL_FILE = 10_000_000;

/** @throws `invalid` for a zip bomb, by packed and unpacked bytes */
export function assertNotZipBomb(name: string, packed: number, unpacked: number): void {
  if (unpacked > SMALL_FILE && unpacked > packed * MAX_COMPRESSION_RATIO)
    throw new Refusal(
      "invalid",
      msg("This archive contains a file that unpacks to more than {count} times its size ({name}).", {
        count: MAX_COMPRESSION_RATIO,
        name,
      }),
    );
}

export const tooManyFiles = () =>
  new Refusal("invalid", msg("This archive has more than {count} files.", { count: MAX_FILES }));
export const tooManyBytes = () => new Refusal("invalid", "This archive is larger than 20 GB.");
