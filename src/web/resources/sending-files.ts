import { DetailedError, Upload } from "tus-js-client";

/** Translated message of a refusal; null for a failed transfer. */
export type Fault = { sentence: string | null };
type Told = { share: number } | { share?: undefined; id: string } | { share?: undefined; fault: Fault; mayTryAgain: boolean };

/** Small enough for slow connections; an interrupted upload resumes after the last chunk. */
const PIECE = 4_000_000;
const PAUSES = [1_000, 3_000, 6_000, 12_000, 24_000, 30_000];
/** Transient: no connection, rate limit, a lock, a restarting server. Everything else is final. */
const PASSING = (status: number) => status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;

/** Uploads a file, resuming an earlier attempt. Returns a function that cancels it. */
export function sendFile(file: File, told: (what: Told) => void): () => void {
  const upload = new Upload(file, {
    endpoint: "/uploads/files",
    metadata: { filename: file.name },
    headers: { "accept-language": document.documentElement.lang },
    chunkSize: PIECE,
    retryDelays: PAUSES,
    removeFingerprintOnSuccess: true,
    onShouldRetry: (error) => PASSING(error.originalResponse?.getStatus() ?? 0),
    onProgress: (sent, whole) => told({ share: whole === 0 ? 1 : sent / whole }),
    onSuccess: () => told({ id: upload.url?.split("/").at(-1) ?? "" }),
    onError: (error) => told(faultOf(error)),
  });
  void resume(upload);
  return () => void upload.abort(true).catch(() => {});
}

async function resume(upload: Upload) {
  const [earlier] = await upload.findPreviousUploads();
  if (earlier) upload.resumeFromPreviousUpload(earlier);
  upload.start();
}

function faultOf(error: Error): Told {
  const answer = error instanceof DetailedError ? error.originalResponse : null;
  try {
    const { refused } = JSON.parse(answer?.getBody() ?? "") as { refused: { message: string } };
    return { fault: { sentence: refused.message }, mayTryAgain: PASSING(answer?.getStatus() ?? 0) };
  } catch {
    return { fault: { sentence: null }, mayTryAgain: true };
  }
}
