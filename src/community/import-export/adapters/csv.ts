import { type Readable, Transform, type TransformCallback } from "node:stream";
import { parse } from "csv-parse";
import { toError } from "#platform/errors";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { readChunks } from "#platform/streams";
import type { Adapter, FoundRecord } from "../archive/adapter.ts";
import type { Bundle } from "../archive/bundle-files.ts";
import { moment } from "../archive/record-fields.ts";
import { assertNotUnmarkedUtf16 } from "../archive/text-lines.ts";
import { fieldForColumn } from "./csv-columns.ts";

// Each record type has a table that is named after the type. The columns are the fields of
// docs/interchange.md, in any case and order.

const TABLE_PATTERNS = [
  ["user", /^(?:users?|members?|people)$/],
  ["group", /^groups?$/],
  ["membership", /^memberships?$/],
  ["resource", /^(?:resources?|library|links?)$/],
  ["discussion", /^(?:discussions?|topics?|threads?)$/],
  ["post", /^(?:posts?|comments?|replies)$/],
  ["reaction", /^reactions?$/],
] as const;
type Kind = (typeof TABLE_PATTERNS)[number][0];
const TABLE_NAMES = "members, groups, memberships, resources, discussions, posts and reactions";

/** A record of these types may lack an id; its row number then identifies it. */
const KINDS_WITHOUT_ID: Kind[] = ["post", "resource"];

export const csvAdapter: Adapter = async function* (bundle) {
  const tables = TABLE_PATTERNS.flatMap(([kind, form]) =>
    bundle.names.filter((name) => form.test(normalizeFileName(name))).map((name) => ({ kind, name })),
  );
  if (tables.length === 0)
    throw new Refusal(
      "invalid",
      "The archive contains no table file named after its content, such as posts.csv.",
    );
  const read = new Set(tables.map(({ name }) => name));
  for (const at of bundle.names)
    if (!read.has(at) && normalizeFileName(at) !== "")
      yield { at, note: `Skipped: unknown table. Known tables are ${TABLE_NAMES}.` };
  let hasRows = false;
  let fault: Refusal | null = null;
  for (const { kind, name } of tables)
    try {
      for await (const found of readRows(bundle, kind, name)) {
        hasRows ||= "record" in found;
        yield found;
      }
    } catch (error) {
      // The rest of this table is unreliable and skipped. Other tables are separate files and still
      // imported.
      if (!(error instanceof Refusal)) throw error;
      fault ??= error;
      yield { at: name, note: error.message };
    }
  if (fault && !hasRows) throw fault;
};

const normalizeFileName = (path: string) =>
  /\.(?:csv|tsv|txt)$/i.test(path)
    ? path
        .toLowerCase()
        .replace(/^.*\//, "")
        .replace(/\.\w+$/, "")
    : "";

/** A row by field. The value is a list if several columns map to the same field. */
type Row = Record<string, string | string[]>;

async function* readRows(bundle: Bundle, kind: Kind, name: string): AsyncGenerator<FoundRecord> {
  const beginning = await readSample(await bundle.read(name));
  const { encoding, delimiter, isDelimiterDeclared } = detectCsvDialect(beginning);
  if (encoding === "utf-8") assertNotUnmarkedUtf16(beginning, name);
  const unknown = new Set<string>();
  const columns = (header: string[]) =>
    header.map((title) => {
      const field = fieldForColumn(title);
      if (!field && title.trim() !== "") unknown.add(title.trim());
      return field ?? false;
    });
  const parser = parse({
    bom: true,
    delimiter,
    columns,
    from_line: isDelimiterDeclared ? 2 : 1,
    group_columns_by_name: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 4_000_000,
  });
  const stream = await bundle.read(name);
  stream.on("error", (error) => parser.destroy(error));
  const letters = createDecoder(encoding);
  letters.on("error", (error) => parser.destroy(error));
  const rows = stream.pipe(letters).pipe(parser) as AsyncIterable<Row>;
  let number = 0;
  try {
    for await (const row of rows) {
      number += 1;
      const at = `${name} row ${number}`;
      const record = parseRecord(kind, row);
      yield* withoutUnreadableDates(at, kind, record);
      yield {
        at,
        record:
          KINDS_WITHOUT_ID.includes(kind) && record["id"] === undefined
            ? { ...record, id: `${name}/${number}` }
            : record,
      };
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (letters.errored)
      throw new Refusal(
        "invalid",
        msg("{name} is not UTF-8 after its row {number}: save it as UTF-8.", { name, number }),
      );
    throw new Refusal(
      "invalid",
      msg("{name} cannot be read after its row {number}: {reason}", {
        name,
        number,
        reason: error instanceof Error ? error.message : String(error),
      }),
    );
  }
  if (number === 0) yield { at: name, note: "It has no rows." };
  if (unknown.size > 0)
    yield {
      at: name,
      note: `Skipped unknown columns: ${[...unknown].slice(0, 20).join(", ")}.`,
    };
}

const SAMPLE_BYTES = 65_536;

async function readSample(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of readChunks(stream)) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, SAMPLE_BYTES);
}

/**
 * Detects encoding and separator: by the byte order mark, by whether the bytes are valid UTF-8, and by the
 * most frequent separator in the first line.
 */
export function detectCsvDialect(beginning: Buffer): {
  encoding: string;
  delimiter: string;
  isDelimiterDeclared?: boolean;
} {
  const encoding = detectEncoding(beginning);
  const header = new TextDecoder(encoding).decode(beginning).split(/\r?\n/)[0] ?? "";
  // Excel may declare the separator in a line of its own.
  const declared = /^"?sep=([,;\t|])"?$/i.exec(header)?.[1];
  if (declared) return { encoding, delimiter: declared, isDelimiterDeclared: true };
  const times = (sign: string) => header.split(sign).length;
  const delimiter = [",", ";", "\t", "|"].reduce((best, sign) => (times(sign) > times(best) ? sign : best));
  return { encoding, delimiter };
}

function detectEncoding(beginning: Buffer): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return "utf-16le";
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return "utf-16be";
  try {
    // The sample may end in the middle of a character.
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** Decodes bytes to UTF-8 text. Fails if the bytes are not valid in the detected encoding. */
function createDecoder(encoding: string): Transform {
  const decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" });
  const decode = (callback: TransformCallback, chunk?: Buffer) => {
    try {
      callback(null, decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (error) {
      callback(toError(error));
    }
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, callback) => decode(callback, chunk),
    flush: (callback) => decode(callback),
  });
}

/** Kinds of records that require a creation date. */
const DATED: Kind[] = ["discussion", "post", "resource"];

/** Removes invalid dates from a record with a warning; the rest of it is imported. */
function* withoutUnreadableDates(
  at: string,
  kind: Kind,
  record: Record<string, unknown>,
): Generator<FoundRecord> {
  for (const [field, value] of Object.entries(record)) {
    if (!field.endsWith("At") || moment.safeParse(value).success) continue;
    if (field === "createdAt" && DATED.includes(kind)) continue;
    delete record[field];
    yield {
      at,
      note: `Skipped its ${field}, which is not a readable date: ${String(value).slice(0, 100)}`,
    };
  }
}

const LIST_FIELDS = new Set(["tags", "oldPaths"]);

/** Fields with a fixed set of values, in upper or lower case. */
const ENUM_FIELDS = new Set(["visibility", "joinPolicy", "role", "state", "kind"]);

function parseRecord(kind: Kind, row: Row): Record<string, unknown> {
  const given = Object.entries(row).flatMap(([key, told]) => {
    const value = [told].flat().find((it) => it.trim() !== "");
    return value === undefined ? [] : [[key, value] as const];
  });
  const record: Record<string, unknown> = {
    type: kind,
    ...Object.fromEntries(given.map(([key, value]) => [key, parseValue(key, value)])),
  };
  // A members table may have only emails; other tables then refer to people by email.
  if (kind === "user") {
    record["name"] ??= [record["given"], record["family"]].filter(Boolean).join(" ") || undefined;
    record["username"] ??= record["user"];
    record["id"] ??= record["username"] ?? record["email"] ?? record["name"];
    record["name"] ??= record["username"] ?? String(record["email"] ?? "").split("@")[0];
  }
  if (kind === "resource") {
    record["kind"] ??= record["url"] ? "link" : "document";
    record["why"] ??= record["purpose"];
  }
  if (kind === "group") record["id"] ??= record["slug"] ?? record["name"];
  return record;
}

function parseValue(key: string, value: string): unknown {
  if (key.endsWith("At")) return parseMoment(value.trim());
  if (ENUM_FIELDS.has(key)) return value.trim().toLowerCase();
  if (LIST_FIELDS.has(key)) return value.split(/[,;|]/).map((part) => part.trim());
  if (key === "number") return Number(value);
  if (key === "archived") return /^(?:true|yes|1|x)$/i.test(value.trim());
  return value;
}

/**
 * Parses the unambiguous forms `2019-03-01 08:00` and `01.03.2019 08:00`; ambiguous dates are reported.
 * PostgreSQL writes time zones as hours only, such as `+00`.
 */
function parseMoment(value: string): string {
  // Day and month come in either order; a number above twelve is the day.
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})((?:,?\s+\d{1,2}:\d\d(?::\d\d)?)?)$/.exec(value);
  if (slashed && Number(slashed[1]) > 12)
    return parseMoment(`${slashed[1]}.${slashed[2]}.${slashed[3]}${slashed[4]}`);
  if (slashed && Number(slashed[2]) > 12)
    return parseMoment(`${slashed[2]}.${slashed[1]}.${slashed[3]}${slashed[4]}`);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,?\s+(\d{1,2}:\d\d(?::\d\d)?))?$/.exec(value);
  if (dotted) {
    const [, day = "", month = "", year, time = "00:00"] = dotted;
    return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T${time.padStart(5, "0")}Z`;
  }
  return value
    .replace(/^(\d{4}-\d\d-\d\d) /, "$1T")
    .replace(/ (?:UTC|GMT)$/i, "Z")
    .replace(/(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?([+-]\d\d)$/, "$1$2:00");
}
