import { setImmediate as breath } from "node:timers/promises";
import type { Database } from "#platform/database";
import { isObject } from "#platform/objects";
import type { Storage } from "#platform/storage";
import type { z } from "zod";
import type { FoundRecord } from "../archive/adapter.ts";
import type { Bundle } from "../archive/bundle-files.ts";
import { LIMITS } from "#community/rules";
import { cleanText, truncate, countCharacters } from "../archive/record-fields.ts";
import { describeIssue } from "../archive/issue-messages.ts";
import { ArchiveRecord } from "../archive/records.ts";
import { upsertImportedNames } from "../bulk-insert.ts";
import type { StoredFile } from "../demo/demo-files.ts";
import {
  type Batch,
  type AnyEntry,
  type CheckedState,
  type ImportCounts,
  type Entry,
  type ImportProblem,
  formatSourceId,
  groupByKind,
} from "./import-batch.ts";
import { findFileFault, fetchFile, describeQuarantined } from "./fetch-file.ts";
import { RecordIds } from "./record-ids.ts";
import type { OpenThread } from "./post-order.ts";
import { writeBatch } from "./write-batch.ts";
import { WarningGrouper } from "./warning-grouping.ts";
import { saveProgress } from "./import-runs.ts";

/** Records per transaction: enough for efficient commits, and few enough for short waits. */
const BATCH_SIZE = 1_000;
const MAX_BATCH_TEXT = 4_000_000;
const MAX_RECORDS = 5_000_000;
const RECORDS_PER_PAUSE = 50;

export type LoadOptions = {
  database: Database;
  storage: Storage;
  bundle: Bundle;
  run: Batch["run"];
  check: boolean;
  scans: boolean;
  mostBytes: number;
  /** Runs after each batch. */
  onProgress: (counts: ImportCounts, records: number) => void;
};

/** Loads an adapter's records batch by batch, each in one transaction. Returns the counts. */
export async function loadArchive(
  loadOptions: LoadOptions,
  found: AsyncIterable<FoundRecord>,
): Promise<ImportCounts> {
  const loader = new Loader(loadOptions);
  let records = 0;
  let broken: { error: unknown } | null = null;
  for await (const one of readUntilError(found, (error) => (broken = { error }))) {
    if (++records > MAX_RECORDS) break;
    // Parsing uses the CPU: requests to this process must not wait for a whole batch.
    if (records % RECORDS_PER_PAUSE === 0) await breath();
    await loader.take(one);
  }
  if (records > MAX_RECORDS)
    loader.note({
      place: "",
      kind: "",
      sourceId: "",
      what: `There are more than ${MAX_RECORDS} records: the rest was skipped.`,
    });
  await loader.flush(true);
  if (broken) throw (broken as { error: unknown }).error;
  return loader.counts;
}

/** If an archive becomes unreadable, the records read before are valid and are imported. */
async function* readUntilError(
  found: AsyncIterable<FoundRecord>,
  broke: (error: unknown) => void,
): AsyncGenerator<FoundRecord> {
  try {
    yield* found;
  } catch (error) {
    broke(error);
  }
}

/** A class, because it remembers the counts and the records of the next batch. */
class Loader {
  counts: ImportCounts = {};
  #it: LoadOptions;
  #names: RecordIds;
  #checked: CheckedState = {
    places: new Map(),
    polls: new Map(),
    votes: new Map(),
    pollTimes: new Map(),
    seriesDates: new Set(),
  };
  #open: OpenThread = null;
  #waiting: AnyEntry[] = [];
  #text = 0;
  #problems: ImportProblem[] = [];
  #remarks = new WarningGrouper();
  #noted = 0;
  #records = 0;

  constructor(loadOptions: LoadOptions) {
    this.#it = loadOptions;
    this.#names = new RecordIds({ source: loadOptions.run.source, keeps: loadOptions.check });
  }

  /** Adds a warning. Text that PostgreSQL cannot store is removed, because warnings quote the archive. */
  note = ({ place, kind, sourceId, what }: ImportProblem): void => {
    const it = {
      place: cleanText(place),
      kind: cleanText(kind),
      sourceId: cleanText(truncate(sourceId, 300)),
      what: cleanText(what),
    };
    if (this.#remarks.take(it)) this.#problems.push(it);
  };

  async take(found: FoundRecord): Promise<void> {
    this.#records += 1;
    if ("note" in found) {
      if (found.lost) this.#count("unreadable", "refused");
      return this.note({ place: found.at, kind: "", sourceId: "", what: found.note });
    }
    const parsed = ArchiveRecord.safeParse(found.record);
    if (!parsed.success) {
      this.#count("unreadable", "refused");
      return this.note(createParseProblem(found, parsed.error));
    }
    this.#noteCutTitle(found, parsed.data);
    // Audience settings take effect before any readable content is imported.
    if (parsed.data.type !== "setting" && this.#waiting.at(-1)?.record.type === "setting") await this.flush();
    this.#waiting.push({ at: found.at, record: parsed.data });
    this.#text += "body" in parsed.data ? parsed.data.body.length : 0;
    if (this.#waiting.length >= BATCH_SIZE || this.#text > MAX_BATCH_TEXT) await this.flush();
  }

  /** Warns about a shortened title and quotes it in full. */
  #noteCutTitle(found: { at: string; record: unknown }, record: ArchiveRecord): void {
    if (record.type !== "discussion") return;
    const title = isObject(found.record) ? found.record["title"] : undefined;
    if (typeof title !== "string" || countCharacters(cleanText(title)) <= LIMITS.title.max) return;
    this.note(
      createProblem(
        { at: found.at, record },
        `Its title was shortened to ${LIMITS.title.max} characters: ${truncate(cleanText(title), 2_000)}`,
      ),
    );
  }

  async flush(isLast = false): Promise<void> {
    const { database, run, check, scans, bundle } = this.#it;
    if (isLast) this.#problems.push(...this.#remarks.rest());
    const entries = groupByKind(this.#waiting);
    const stored = await this.#fetch(entries.file ?? []);
    const open = await database.inTransaction(async (tx) => {
      const count: Batch["count"] = (kind, outcome, many = 1) => this.#count(kind, outcome, many);
      const note: Batch["note"] = (at, what) => this.note(createProblem(at, what));
      const [names, checked, newPosts] = [this.#names, this.#checked, new Set<string>()];
      const given = {
        tx,
        run,
        check,
        scans,
        names,
        checked,
        bundle,
        stored,
        entries,
        newPosts,
        open: this.#open,
        isLast,
        count,
        note,
      };
      const goesOn = await writeBatch(given);
      const taken = this.#names.taken(run.id);
      if (!check) await upsertImportedNames(tx, taken);
      await saveProgress(tx, run.id, this.counts, this.#problems, this.#noted);
      return goesOn;
    });
    this.#open = open;
    this.#noted += this.#problems.length;
    [this.#waiting, this.#text, this.#problems] = [[], 0, []];
    this.#names.forget();
    this.#it.onProgress(this.counts, this.#records);
  }

  /**
   * Stores the files of a batch before its transaction, because copying bytes takes time and needs no locks.
   */
  async #fetch(files: Entry<"file">[]): Promise<Map<string, StoredFile>> {
    const { database, storage, bundle, check, mostBytes } = this.#it;
    const stored = new Map<string, StoredFile>();
    await this.#names.learn(
      database.db,
      files.map(({ record }) => ({ kind: "file", id: record.id })),
    );
    for (const it of files) {
      if (this.#names.of("file", it.record.id)) continue;
      const got = check
        ? (findFileFault(bundle, it.record, mostBytes) ?? describeUnfetched(bundle, it.record))
        : await fetchFile(bundle, storage, it.record, mostBytes);
      if (typeof got === "string") this.note(createProblem(it, `Skipped: ${got}`));
      else {
        stored.set(it.record.id, got);
        if (!describeQuarantined(it.record)) this.#count("file", "bytes", got.size);
      }
    }
    return stored;
  }

  #count(kind: keyof ImportCounts, outcome: "made" | "known" | "refused" | "bytes", many = 1) {
    if (many === 0) return;
    const counted = (this.counts[kind] ??= {});
    counted[outcome] = (counted[outcome] ?? 0) + many;
  }
}

const describeUnfetched = (bundle: Bundle, { path, mime }: Entry<"file">["record"]): StoredFile => ({
  hash: "",
  size: bundle.sizeOf(path) ?? 0,
  mime,
});

const createProblem = ({ at, record }: AnyEntry, what: string): ImportProblem => ({
  place: at,
  kind: record.type,
  sourceId: formatSourceId(record),
  what,
});

function createParseProblem(
  { at, record }: { at: string; record: unknown },
  error: z.ZodError,
): ImportProblem {
  const it = isObject(record) ? record : {};
  const word = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? truncate(String(value), 200) : "";
  const issue = error.issues[0]!;
  const what =
    record === null || typeof record !== "object"
      ? "not a record, or too long."
      : issue.path.length === 0
        ? "its type is missing or unknown."
        : `its ${issue.path.join(".")} ${describeIssue(issue, record)}.`;
  return { place: at, kind: word(it["type"]), sourceId: word(it["id"]), what: `Skipped: ${what}` };
}
