import { useEffect, useRef, useState } from "react";
import type { UploadError } from "./send-file.ts";

/** An upload: its progress, its id once stored, or its error. */
export type UploadingFile = {
  key: number;
  name: string;
  share: number;
  id: string | null;
  fault: UploadError | null;
  canTryAgain: boolean;
};
type UploadEntry = UploadingFile & { file: File; stop: (() => void) | null };

const CONCURRENT_UPLOADS = 3;
/** Maximum number of files in one submission. */
export const MAX_FILES_AT_ONCE = 20;

const changeFile = (key: number, what: Partial<UploadEntry>) => (all: UploadEntry[]) =>
  all.map((it) => (it.key === key ? { ...it, ...what } : it));

/**
 * Uploads files as they are chosen, three at a time, at most `most` in total. `arrived`: their ids once all
 * are uploaded.
 */
export function useFileUploads(most: number) {
  const [files, setFiles] = useState<UploadEntry[]>([]);
  const count = useRef(0);
  useEffect(() => {
    const underWay = files.filter((it) => it.stop !== null).length;
    const next = files.find((it) => it.stop === null && it.id === null && it.fault === null);
    if (next && underWay < CONCURRENT_UPLOADS)
      setFiles(
        changeFile(next.key, {
          stop: startUpload(next.file, (what) => setFiles(changeFile(next.key, what))),
        }),
      );
  }, [files]);

  const ids = files.flatMap(({ id }) => id ?? []);
  return {
    files,
    arrived: ids.length > 0 && ids.length === files.length ? ids : null,
    add: (chosen: File[]) =>
      setFiles((all) => [
        ...all,
        ...chosen.slice(0, most - all.length).map((file) => ({
          key: (count.current += 1),
          name: file.name,
          file,
          share: 0,
          id: null,
          fault: null,
          canTryAgain: false,
          stop: null,
        })),
      ]),
    again: (key: number) => setFiles(changeFile(key, { fault: null, share: 0 })),
    leave: (key: number) => {
      files.find((it) => it.key === key)?.stop?.();
      setFiles((all) => all.filter((it) => it.key !== key));
    },
  };
}

/** The upload code is loaded on first use. */
function startUpload(file: File, onStatus: (what: Partial<UploadEntry>) => void): () => void {
  let stopped = false;
  let stop = () => {};
  const start = async () => {
    const { uploadFile: sendFile } = await import("./send-file.ts");
    if (!stopped)
      stop = sendFile(file, (what) => onStatus(what.share === undefined ? { ...what, stop: null } : what));
  };
  start().catch(() => onStatus({ fault: { sentence: null }, canTryAgain: true, stop: null }));
  return () => {
    stopped = true;
    stop();
  };
}
