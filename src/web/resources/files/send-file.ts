import { DetailedError, Upload } from "tus-js-client";

/** Translated message of a refusal; null for a failed transfer. */
export type UploadError = { sentence: string | null };
type UploadStatus =
  | { share: number }
  | { share?: undefined; id: string }
  | { share?: undefined; fault: UploadError; canTryAgain: boolean };

/**
 * Bytes per request, small enough for slow connections: an interrupted upload resumes after the last
 * complete chunk.
 */
const CHUNK_SIZE = 4_000_000;
const RETRY_DELAYS = [1_000, 3_000, 6_000, 12_000, 24_000, 30_000];
/**
 * Whether a status may be temporary: no connection, rate limit, a lock, a restarting server. All others are
 * final.
 */
const isTransientStatus = (status: number) =>
  status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;

/** Uploads a file, or resumes an earlier attempt. Returns a function that cancels it. */
export function uploadFile(file: File, onStatus: (what: UploadStatus) => void): () => void {
  const upload = new Upload(file, {
    endpoint: "/uploads/files",
    metadata: { filename: file.name },
    headers: { "accept-language": document.documentElement.lang },
    chunkSize: CHUNK_SIZE,
    retryDelays: RETRY_DELAYS,
    removeFingerprintOnSuccess: true,
    onShouldRetry: (error) => isTransientStatus(error.originalResponse?.getStatus() ?? 0),
    onProgress: (sent, whole) => onStatus({ share: whole === 0 ? 1 : sent / whole }),
    onSuccess: () => onStatus({ id: upload.url?.split("/").at(-1) ?? "" }),
    onError: (error) => onStatus(toUploadError(error)),
  });
  void resumeUpload(upload);
  return () => void upload.abort(true).catch(() => {});
}

async function resumeUpload(upload: Upload) {
  const [earlier] = await upload.findPreviousUploads();
  if (earlier) upload.resumeFromPreviousUpload(earlier);
  upload.start();
}

function toUploadError(error: Error): UploadStatus {
  const answer = error instanceof DetailedError ? error.originalResponse : null;
  try {
    const { refused }: { refused: { message: string } } = JSON.parse(answer?.getBody() ?? "");
    return { fault: { sentence: refused.message }, canTryAgain: isTransientStatus(answer?.getStatus() ?? 0) };
  } catch {
    return { fault: { sentence: null }, canTryAgain: true };
  }
}
